import { formatPath, type Path, type Value } from '../model/value.ts';
import type { Hint, Remedy, RemedyOf } from '../text/hint.ts';
import type { ArgumentName, ArgumentsOf } from './arguments.ts';

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

/** What a program can do about a problem. Its arguments are messages, so that a value of a Secret in them is known. */
type MessageRemedy = RemedyOf<Message>;

/** A part of a message with its name. It is a message, so that a value of a Secret in it is known. */
type MessageArgument = readonly [name: ArgumentName, value: Message];

/**
 * The text of a diagnostic: fixed words, and the values that it quotes. `format` makes it printable. Its arguments are
 * its parts that have names. That of a hint has the remedies that it describes.
 */
export class Message {
  readonly #parts: readonly Part[];
  readonly #remedies: readonly MessageRemedy[];
  readonly #args: readonly MessageArgument[];

  private constructor(
    parts: readonly Part[],
    remedies: readonly MessageRemedy[],
    args: readonly MessageArgument[] = [],
  ) {
    this.#parts = parts;
    this.#remedies = remedies;
    this.#args = args;
  }

  /** Joins parts. Of several arguments of one name the outermost is kept, and then the first. */
  static of(
    parts: readonly (Part | Message)[],
    own: readonly MessageRemedy[] = [],
    args: readonly MessageArgument[] = [],
  ): Message {
    const inner = parts.filter((part) => part instanceof Message);
    if (inner.length === 0) return new Message(parts as readonly Part[], own, args);
    return new Message(
      parts.flatMap((part) => (part instanceof Message ? part.#parts : [part])),
      [...inner.flatMap((part) => part.#remedies), ...own],
      [...args, ...inner.flatMap((part) => part.#args)],
    );
  }

  /** Removes the values, and the remedies and arguments that need one of them. */
  hide(): Message {
    return new Message(
      this.#parts.map((part) => (typeof part === 'string' ? part : (part.instead ?? HIDDEN))),
      this.#remedies.filter((remedy) => !argumentsOf(remedy).some(([, argument]) => argument.hasQuotes)),
      this.#args.filter(([, argument]) => !argument.hasQuotes),
    );
  }

  /** Marks its values as never secret. */
  show(): Message {
    const shownRemedies = this.#remedies.map((remedy) => mapArguments(remedy, (argument) => argument.show()));
    const shownArgs = this.#args.map(([name, argument]) => [name, argument.show()] as const);
    return new Message([Message.format(this)], shownRemedies, shownArgs);
  }

  /** The arguments with their values: none of these can come from a Secret, or they are hidden. */
  get args(): ArgumentsOf<Text> | undefined {
    if (this.#args.length === 0) return undefined;
    const args: Partial<Record<ArgumentName, Text>> = {};
    for (const [name, argument] of this.#args) args[name] ??= Message.format(argument);
    return args;
  }

  get hasRemedies(): boolean {
    return this.#remedies.length > 0;
  }

  /** The remedies with the values of their arguments: none of these can come from a Secret, or they are hidden. */
  get remedies(): readonly Remedy[] {
    return this.#remedies.map((remedy) => mapArguments(remedy, Message.format));
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

/** A value with the name of the argument that it becomes: `${{ got: value }}`. */
type Named = { readonly [N in ArgumentName]: { readonly [K in N]: Quotable | Message } }[ArgumentName];

/**
 * Creates a message. Interpolated values are hidden if they may come from a Secret; `shown` marks others. A value with a
 * name is an argument of the diagnostic too.
 */
export function phrase(words: TemplateStringsArray, ...values: readonly (Quotable | Message | Named)[]): Message {
  const parts: (Part | Message)[] = [words[0] ?? ''];
  const args: MessageArgument[] = [];
  values.forEach((value, index) => {
    if (isNamed(value)) {
      for (const [name, argument] of Object.entries(value)) {
        const part = partOf(argument);
        args.push([name as ArgumentName, part instanceof Message ? part : Message.of([part])]);
        parts.push(part);
      }
    } else {
      parts.push(partOf(value));
    }
    parts.push(words[index + 1] ?? '');
  });
  return Message.of(parts, [], args);
}

const isNamed = (value: Quotable | Message | Named): value is Named =>
  typeof value === 'object' && !(value instanceof Message);

const partOf = (value: Quotable | Message): Part | Message =>
  value instanceof Message ? value : { value: String(value), instead: undefined };

/** Returns a hint with what a program can do about it. */
export const advise = (message: Message, remedies: MessageRemedy | readonly MessageRemedy[]): Message =>
  Message.of([message], 'kind' in remedies ? [remedies] : remedies);

/** The remedy that writes another name, key or value at the position. */
export const renameTo = (to: Message): MessageRemedy => ({ kind: 'rename', to });

/** Returns a hint as a message; `quoted` decides whether its text and its arguments may come from a Secret. */
export const hintMessage = ({ text, remedies }: Hint, quoted: (text: string) => Message): Message =>
  advise(
    quoted(text),
    remedies.map((remedy) => mapArguments(remedy, quoted)),
  );

/** Returns a hint whose text and arguments are never secret. */
export const shownHint = (hint: Hint | undefined): Message | undefined =>
  hint === undefined ? undefined : hintMessage(hint, shown);

/** Returns a hint whose text and arguments may come from a Secret. */
export const quotedHint = (hint: Hint | undefined): Message | undefined =>
  hint === undefined ? undefined : hintMessage(hint, (text) => phrase`${text}`);

const argumentsOf = <T>({ kind, ...given }: RemedyOf<T>): [name: string, argument: T][] => Object.entries(given);

function mapArguments<T, U>(remedy: RemedyOf<T>, change: (argument: T) => U): RemedyOf<U> {
  const given = argumentsOf(remedy).map(([name, argument]) => [name, change(argument)]);
  return { kind: remedy.kind, ...Object.fromEntries(given) } as RemedyOf<U>;
}

/** Returns a part of a message that is never secret: a word of the program, a type, a name of a definition. */
export const shown = (value: Quotable): Message => Message.of([String(value)]);

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

/** The message of a report, with its arguments. */
export interface Told {
  readonly message: Text;
  readonly args?: ArgumentsOf<Text>;
}

/** A text, a number or fixed words with the name of the argument that they become. */
type NamedText = {
  readonly [N in ArgumentName]: { readonly [K in N]: string | number | bigint };
}[ArgumentName];

type FixedOrNamed<T> = T extends string | number | bigint ? Fixed<T> : { readonly [K in keyof T]: Fixed<T[K]> };

/** Returns the message of a report: `composeText` with values that have names, which are its arguments. */
export function told<const V extends readonly (string | number | bigint | NamedText)[]>(
  words: TemplateStringsArray,
  ...values: V & { readonly [K in keyof V]: FixedOrNamed<V[K]> }
): Told {
  const args: [name: string, argument: Text][] = [];
  let text = words[0] ?? '';
  values.forEach((value, index) => {
    if (typeof value === 'object') {
      for (const [name, argument] of Object.entries(value)) {
        args.push([name, `${argument}` as Text]);
        text += `${argument}`;
      }
    } else {
      text += `${value}`;
    }
    text += words[index + 1] ?? '';
  });
  return { message: text as Text, args: Object.fromEntries(args) };
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
