/** The form of a text or a list item; `expected` completes "is not". */
export interface Form {
  pattern: RegExp;
  expected: string;
}

interface Described {
  description: string;
  /** A short name on the command line: `-o`. */
  short?: `-${string}`;
  /** Other names on the command line, hidden in the help. */
  aliases?: readonly `--${string}`[];
  /** The completions of a value: these words, or those found in files or in git. */
  completes?: readonly string[] | 'kinds' | 'instances' | 'rgds' | 'refs';
}

export interface BooleanOption extends Described {
  type: 'boolean';
  default: boolean;
}
export interface TextOption extends Described {
  type: 'string';
  /** The placeholder of the value in the help: `FILE`. */
  value: string;
  default: string;
  form?: Form;
}
export interface IntegerOption extends Described {
  type: 'integer';
  value: string;
  default: number;
  minimum: number;
}
export interface ListOption extends Described {
  type: 'list';
  value: string;
  default: readonly string[];
  each?: Form;
}
export interface ChoiceOption<Choice extends string = string> extends Described {
  type: 'choice';
  choices: readonly Choice[];
  default: Choice;
}
export type Option = BooleanOption | TextOption | IntegerOption | ListOption | ChoiceOption;

/** Options by their names in a functionConfig; on the command line `maxSize` is `--max-size`. */
export type OptionSet = Readonly<Record<string, Option>>;

export type SettingsOf<Options extends OptionSet> = { -readonly [Name in keyof Options]: Options[Name]['default'] };

type Extras<Own extends Option> = Partial<Pick<Own, 'short' | 'aliases' | 'completes'>>;

/** Declares an option that is false by default. */
export const flag = (description: string, extras: Extras<BooleanOption> = {}): BooleanOption => ({
  type: 'boolean',
  default: false,
  description,
  ...extras,
});

/** Declares an option with a text, `''` by default. */
export const text = (
  value: string,
  description: string,
  extras: Extras<TextOption> & { form?: Form } = {},
): TextOption => ({ type: 'string', value, default: '', description, ...extras });

export const integer = (
  value: string,
  description: string,
  range: { default: number; minimum: number },
): IntegerOption => ({ type: 'integer', value, description, ...range });

/** Declares an option that may be repeated. */
export const list = (
  value: string,
  description: string,
  extras: Extras<ListOption> & { each?: Form } = {},
): ListOption => ({ type: 'list', value, default: [], description, ...extras });

/** Declares an option with one of several words; the first is its default. */
export const choice = <const Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  description: string,
  extras: Extras<ChoiceOption> = {},
): ChoiceOption<Choice> => ({ type: 'choice', choices, default: choices[0], description, ...extras });

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const defaultsOf = <Options extends OptionSet>(options: Options): SettingsOf<Options> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.default])) as SettingsOf<Options>;
