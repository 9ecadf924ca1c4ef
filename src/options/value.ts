import { clipped } from '../text/clip.ts';
import { didYouMean } from '../text/nearest.ts';
import { choicesOf, type Option, type Settings, type Where } from './table.ts';

/** What one option may be set to. */
export type SettingValue = Settings[keyof Settings];

/** The value, or what is wrong with the text; `hint` names what was probably meant. */
export type Parsed = { value: SettingValue } | { fault: string; hint?: string };

/** Reads the value of an option from text: a flag's argument, an entry of a ConfigMap. A list is given item by item. */
export function settingFromText(option: Option, text: string, where: Where): Parsed {
  switch (option.type) {
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { fault: `'${text}' is neither true nor false` };
    case 'integer':
      return /^\d+$/.test(text) ? checkedInteger(option, Number(text)) : { fault: `'${text}' is not a whole number` };
    case 'choice':
      return checkedChoice(option, text, where);
    case 'list':
      return checkedItems(option, [text]);
    case 'string':
      return { value: text };
  }
}

/** Checks the value of an option that comes with its own type: from a functionConfig, or from a program. */
export function settingFromValue(option: Option, value: unknown, where: Where): Parsed {
  switch (option.type) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
        ? checkedInteger(option, Number(value))
        : { fault: 'must be a whole number' };
    case 'choice':
      return typeof value === 'string' ? checkedChoice(option, value, where) : { fault: 'must be a string' };
    case 'list': {
      const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
      const strings = items?.filter((item) => typeof item === 'string');
      return strings === undefined || strings.length !== items?.length
        ? { fault: 'must be a list of strings' }
        : checkedItems(option, strings);
    }
    case 'string':
      return typeof value === 'string' ? { value } : { fault: 'must be a string' };
  }
}

function checkedInteger(option: Option & { type: 'integer' }, value: number): Parsed {
  if (!Number.isSafeInteger(value)) return { fault: `${value} is too large` };
  return value < option.minimum ? { fault: `${value} is less than ${option.minimum}` } : { value };
}

export function checkedChoice(option: Option, text: string, where: Where): Parsed {
  const choices = choicesOf(option, where);
  if (choices.includes(text)) return { value: text as SettingValue };
  const hint = didYouMean(text, choices, 1);
  const fault = `'${text}' is none of ${choices.join(', ')}`;
  return hint === undefined ? { fault } : { fault, hint };
}

export function checkedItems(option: Option & { type: 'list' }, items: readonly string[]): Parsed {
  const empty = items.includes('');
  if (empty) return { fault: 'an item is empty' };
  const wrong = items.find((item) => option.each !== undefined && !option.each.pattern.test(item));
  return wrong === undefined
    ? { value: items }
    : { fault: `'${clipped(wrong, 100)}' is not of the form ${option.each?.expected}` };
}
