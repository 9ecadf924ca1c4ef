import { clipped } from '../../core/text/clip.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { ListOption, Option } from './option.ts';

type SettingValue = Option['default'];

/** The value, or the error in the text; `hint` has the probable intention. */
export type Parsed = { value: SettingValue } | { fault: string; hint?: string };

/**
 * Parses the value of an option from text: a flag's argument, an entry of a ConfigMap. A list is parsed item by item.
 */
export function settingFromText(option: Option, text: string): Parsed {
  switch (option.type) {
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { fault: `'${text}' is neither true nor false` };
    case 'integer':
      return /^\d+$/.test(text) ? checkedInteger(option, text) : { fault: `'${text}' is not a whole number` };
    case 'choice':
      return checkedChoice(option, text);
    case 'list':
      return checkedItems(option, [text]);
    case 'string':
      return checkedText(option, text);
  }
}

/** Checks the typed value of an option: from a functionConfig, or from a program. */
export function settingFromValue(option: Option, value: unknown): Parsed {
  switch (option.type) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
        ? checkedInteger(option, String(value))
        : { fault: 'must be a whole number' };
    case 'choice':
      return typeof value === 'string' ? checkedChoice(option, value) : { fault: 'must be a string' };
    case 'list': {
      const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
      const strings = items?.filter((item) => typeof item === 'string');
      return strings === undefined || strings.length !== items?.length
        ? { fault: 'must be a list of strings' }
        : checkedItems(option, strings);
    }
    case 'string':
      return typeof value === 'string' ? checkedText(option, value) : { fault: 'must be a string' };
  }
}

/** Quotes the text as given, because a number may round it. */
function checkedInteger(option: Option & { type: 'integer' }, text: string): Parsed {
  const value = Number(text);
  if (value < option.minimum) return { fault: `${clipped(text, 100)} is less than ${option.minimum}` };
  return Number.isSafeInteger(value) ? { value } : { fault: `${clipped(text, 100)} is too large` };
}

function checkedText(option: Option & { type: 'string' }, text: string): Parsed {
  const { form } = option;
  return form === undefined || form.pattern.test(text)
    ? { value: text }
    : { fault: `'${clipped(text, 100)}' is not ${form.expected}` };
}

function checkedChoice({ choices }: Option & { type: 'choice' }, text: string): Parsed {
  if (choices.includes(text)) return { value: text };
  const hint = didYouMean(text, choices, 1);
  const fault = `'${text}' is not one of ${choices.join(', ')}`;
  return hint === undefined ? { fault } : { fault, hint };
}

export function checkedItems(option: ListOption, items: readonly string[]): Parsed {
  const empty = items.includes('');
  if (empty) return { fault: 'an item is empty' };
  const wrong = items.find((item) => option.each !== undefined && !option.each.pattern.test(item));
  return wrong === undefined
    ? { value: items }
    : { fault: `'${clipped(wrong, 100)}' is not of the form ${option.each?.expected}` };
}
