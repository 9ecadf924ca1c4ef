import { clipped } from '../../core/text/clip.ts';
import { didYouMean } from '../../core/text/nearest.ts';

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

type SettingValue = Option['default'];

/** The value, or the error in the text; `hint` has the probable intention. */
export type Parsed = { value: SettingValue } | { fault: string; hint?: string };

/** Parses the value of an option from text: a flag's argument, an entry of a ConfigMap. */
export function settingFromText(option: Option, text: string): Parsed {
  if (option.type === 'list') return checkedItems(option, [text]);
  if (option.type !== 'boolean') return checkedText(option, text);
  return text === 'true' || text === 'false'
    ? { value: text === 'true' }
    : { fault: `'${text}' is neither true nor false` };
}

export function settingFromValue(option: Option, value: unknown): Parsed {
  switch (option.type) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
        ? checkedInteger(option, String(value))
        : { fault: 'must be a whole number' };
    case 'list': {
      const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
      return isTexts ? checkedItems(option, value) : { fault: 'must be a list of strings' };
    }
    default:
      return typeof value === 'string' ? checkedText(option, value) : { fault: 'must be a string' };
  }
}

/** Quotes the text as given, because a number may round it. */
function checkedInteger(option: IntegerOption, text: string): Parsed {
  const value = Number(text);
  if (value < option.minimum) return { fault: `${clipped(text, 100)} is less than ${option.minimum}` };
  return Number.isSafeInteger(value) ? { value } : { fault: `${clipped(text, 100)} is too large` };
}

function checkedText(option: TextOption | IntegerOption | ChoiceOption, text: string): Parsed {
  switch (option.type) {
    case 'integer':
      return /^\d+$/.test(text) ? checkedInteger(option, text) : { fault: `'${text}' is not a whole number` };
    case 'string':
      return option.form === undefined || option.form.pattern.test(text)
        ? { value: text }
        : { fault: `'${clipped(text, 100)}' is not ${option.form.expected}` };
    case 'choice': {
      if (option.choices.includes(text)) return { value: text };
      const hint = didYouMean(text, option.choices, 1);
      return { fault: `'${text}' is not one of ${option.choices.join(', ')}`, ...(hint !== undefined && { hint }) };
    }
  }
}

export function checkedItems(option: ListOption, items: readonly string[]): Parsed {
  const empty = items.includes('');
  if (empty) return { fault: 'an item is empty' };
  const wrong = items.find((item) => option.each !== undefined && !option.each.pattern.test(item));
  return wrong === undefined
    ? { value: items }
    : { fault: `'${clipped(wrong, 100)}' is not of the form ${option.each?.expected}` };
}
