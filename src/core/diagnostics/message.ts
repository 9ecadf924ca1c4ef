import { formatPath, type Path, type Value } from '../model/value.ts';

declare const formatted: unique symbol;

/** A text that people may read. Only this module creates one, when it is decided which values in it are hidden. */
export type Text = string & { readonly [formatted]: true };

interface Quote {
  readonly value: string;
  /** The replacement for a value that may come from a Secret. */
  readonly instead: string | undefined;
}

type Part = string | Quote;

/** The replacement for a value that may come from a Secret. */
export const HIDDEN = '(hidden)' as Text;

/** The text of a diagnostic: fixed words, and the values that it quotes. `format` makes it printable. */
export class Message {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  static of(parts: readonly (Part | Message)[]): Message {
    return new Message(parts.flatMap((part) => (part instanceof Message ? part.#parts : [part])));
  }

  hide(): Message {
    return new Message(this.#parts.map((part) => (typeof part === 'string' ? part : (part.instead ?? HIDDEN))));
  }

  get hasQuotes(): boolean {
    return this.#parts.some((part) => typeof part !== 'string');
  }

  /** Whether it has words besides the values that it quotes. */
  get hasWords(): boolean {
    return this.#parts.some((part) => /[a-z]/i.test(typeof part === 'string' ? part : (part.instead ?? '')));
  }

  /** Whether every quoted value has its own replacement. */
  get isReplaceable(): boolean {
    return this.#parts.every((part) => typeof part === 'string' || part.instead !== undefined);
  }

  /** Throws, because a string would lose which parts are values. */
  [Symbol.toPrimitive](): never {
    throw new TypeError('a message is not a string: insert it with phrase, or format it');
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }

  static format(message: Message): Text {
    return message.#parts.map((part) => (typeof part === 'string' ? part : part.value)).join('') as Text;
  }
}

export type Quotable = string | number | bigint;

/** Creates a message. Interpolated values are hidden if they may come from a Secret; `shown` marks others. */
export function phrase(words: TemplateStringsArray, ...values: readonly (Quotable | Message)[]): Message {
  const parts = values.flatMap((value, index) => [
    value instanceof Message ? value : { value: String(value), instead: undefined },
    words[index + 1] ?? '',
  ]);
  return Message.of([words[0] ?? '', ...parts]);
}

/** Returns a part of a message that is never secret: a word of the program, a type, a name of a definition. */
export const shown = (value: Quotable): Message => Message.of([String(value)]);

export const shownIf = (words: string | undefined): Message | undefined =>
  words === undefined ? undefined : shown(words);

export const phraseIf = (value: string | undefined): Message | undefined =>
  value === undefined ? undefined : phrase`${value}`;

/** Returns a quoted value with a replacement that is used if it may come from a Secret. */
export const quote = (value: Quotable, instead: string): Message => Message.of([{ value: String(value), instead }]);

/** Returns the text of a message with its values: none of them can come from a Secret, or they are hidden. */
export const format = (message: Message): Text => Message.format(message);

/** Fixed words, texts and numbers: no string that the program does not spell out. */
type Fixed<T> = T extends Text | number | bigint
  ? T
  : T extends string
    ? Record<never, never> extends Record<T, 1>
      ? never
      : T
    : never;

/** Returns a text of fixed words and other texts: a value of the type `string` does not type-check. */
export function composeText<const V extends readonly (string | number | bigint)[]>(
  words: TemplateStringsArray,
  ...values: V & { readonly [K in keyof V]: Fixed<V[K]> }
): Text {
  let text = words[0] ?? '';
  values.forEach((value, index) => {
    text += `${value}${words[index + 1] ?? ''}`;
  });
  return text as Text;
}

/** Formats a count with its noun: `1 file`, `2 files`. */
export const counted = <const N extends string>(count: number, noun: N & Fixed<N>): Text =>
  `${count} ${noun}${count === 1 ? '' : 's'}` as Text;

const asText = (value: string): Text => value as Text;

/** The only ways from a string to a text, by what the string is: nothing that may be a value of a Secret. */
export const trusted = {
  /** A path, a URL or a revision, as the user or the file system names it. */
  file: asText,
  /** An argument, an option or a parameter, and what is wrong with it. */
  argument: asText,
  /** An error of the system, or of a program that was started. */
  error: asText,
  /** A name or an expression of a definition, or the name of an object that is not secret. */
  definition: asText,
  /** A path of fields whose keys are no values. */
  field: (path: Path): Text => asText(formatPath(path)),
  /** A value of an object from which the values of Secrets were removed. */
  redacted: (value: Value): Text => asText(String(value)),
};

/** Returns a text in another form, such as shortened or escaped. */
export const mapText = (text: Text, change: (text: string) => string): Text => asText(change(text));

export const joinTexts = (texts: readonly Text[], separator: string): Text => texts.join(separator) as Text;
