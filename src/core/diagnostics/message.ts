declare const formatted: unique symbol;

/**
 * A text that people may read. Only this module makes one, so a string that quotes a value is no text of a diagnostic
 * until somebody has said what happens to that value where it comes from a Secret.
 */
export type Text = string & { readonly [formatted]: true };

/** A value that a message quotes. */
interface Quote {
  readonly value: string;
  /** Replaces a value that may come from a Secret. */
  readonly instead: string | undefined;
}

type Part = string | Quote;

/** Replaces a value that may come from a Secret. */
export const HIDDEN = '(hidden)';

/** The words of a diagnostic: fixed text, and the values that it quotes. `format` makes them readable. */
export class Message {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  static of(parts: readonly (Part | Message)[]): Message {
    return new Message(parts.flatMap((part) => (part instanceof Message ? part.#parts : [part])));
  }

  /** The message without the values that it quotes. */
  hide(): Message {
    return new Message(this.#parts.map((part) => (typeof part === 'string' ? part : (part.instead ?? HIDDEN))));
  }

  /** Whether it quotes any value. */
  get hasQuotes(): boolean {
    return this.#parts.some((part) => typeof part !== 'string');
  }

  /** Whether it says something without the values that it quotes. */
  get hasWords(): boolean {
    return this.#parts.some((part) => /[a-z]/i.test(typeof part === 'string' ? part : (part.instead ?? '')));
  }

  /** Whether every quoted value has a replacement of its own. */
  get isReplaceable(): boolean {
    return this.#parts.every((part) => typeof part === 'string' || part.instead !== undefined);
  }

  /** A message that is put into a string by mistake would lose what it knows of its values. */
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

/**
 * Makes a message. What is interpolated counts as a quoted value, which is hidden where it may come from a Secret;
 * `shown` marks what is never secret. Messages are inserted as they are.
 */
export const phrase = (words: TemplateStringsArray, ...values: readonly (Quotable | Message)[]): Message =>
  compose(words, values);

function compose(words: TemplateStringsArray, values: readonly (Quotable | Message)[]): Message {
  const parts = values.flatMap((value, index) => [
    value instanceof Message ? value : { value: String(value), instead: undefined },
    words[index + 1] ?? '',
  ]);
  return Message.of([words[0] ?? '', ...parts]);
}

/** A part of a message that is never secret: a word of the program, a type, a name that a definition gives. */
export const shown = (value: Quotable): Message => Message.of([String(value)]);

/** The same for words that may be missing. */
export const shownIf = (words: string | undefined): Message | undefined =>
  words === undefined ? undefined : shown(words);

/** A message that quotes a text, which may be missing. */
export const phraseIf = (value: string | undefined): Message | undefined =>
  value === undefined ? undefined : phrase`${value}`;

/** A quoted value with a text that replaces it where it may come from a Secret. */
export const quote = (value: Quotable, instead: string): Message => Message.of([{ value: String(value), instead }]);

/** The text of a message, its values included: call it where none of them can come from a Secret, or after `hide`. */
export const format = (message: Message): Text => Message.format(message);

/** A text with values that cannot come from a Secret: options, paths, names of files and tools. */
export const publicText = (words: TemplateStringsArray, ...values: readonly (Quotable | Message)[]): Text =>
  format(compose(words, values));
