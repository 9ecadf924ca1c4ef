/** What a text or an item of a list must be; `expected` completes "is not". */
export interface Form {
  pattern: RegExp;
  expected: string;
}

export interface Described {
  description: string;
  /** A short name on the command line: `-o`. */
  short?: `-${string}`;
  /** Other names on the command line, which help does not show. */
  aliases?: readonly `--${string}`[];
  /** What a shell offers as a value: these words, or those that are found in files or in git. */
  completes?: readonly string[] | 'kinds' | 'instances' | 'rgds' | 'refs';
}

export interface BooleanOption extends Described {
  type: 'boolean';
  default: boolean;
}
export interface TextOption extends Described {
  type: 'string';
  /** What the value is, for people: `FILE`. */
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

/** What the options of a set are set to. */
export type SettingsOf<Options extends OptionSet> = { -readonly [Name in keyof Options]: Options[Name]['default'] };

type Extras<Own extends Option> = Partial<Pick<Own, 'short' | 'aliases' | 'completes'>>;

/** An option that is false unless it is given. */
export const flag = (description: string, extras: Extras<BooleanOption> = {}): BooleanOption => ({
  type: 'boolean',
  default: false,
  description,
  ...extras,
});

/** An option with a text, `''` unless it is given. */
export const text = (
  value: string,
  description: string,
  extras: Extras<TextOption> & { form?: Form } = {},
): TextOption => ({ type: 'string', value, default: '', description, ...extras });

/** An option with a whole number. */
export const integer = (
  value: string,
  description: string,
  range: { default: number; minimum: number },
): IntegerOption => ({ type: 'integer', value, description, ...range });

/** An option that may be given several times. */
export const list = (
  value: string,
  description: string,
  extras: Extras<ListOption> & { each?: Form } = {},
): ListOption => ({ type: 'list', value, default: [], description, ...extras });

/** An option with one of several words; the first is its default. */
export const choice = <const Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  description: string,
  extras: Extras<ChoiceOption> = {},
): ChoiceOption<Choice> => ({ type: 'choice', choices, default: choices[0], description, ...extras });

/** The name of an option on the command line. */
export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The settings of a set of which nothing is given. */
export const defaultsOf = <Options extends OptionSet>(options: Options): SettingsOf<Options> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.default])) as SettingsOf<Options>;
