import type { ValueMap } from '../model/value.ts';
import { describe } from './help.ts';
import { type Option, optionsOf } from './table.ts';

const FOUND_DEFINITIONS = 'foundDefinitions';
const FOUND_INSTANCES = 'foundInstances';

/** Announced to show what is there. They set nothing. */
export const FOUND: readonly string[] = [FOUND_DEFINITIONS, FOUND_INSTANCES];

/** What the UI of Argo CD shows as parameters of every Application: the options, with what they start from. */
export const optionAnnouncements = (): ValueMap[] =>
  optionsOf('plugin').map(([name, option]) => announce(name, option));

/** What is there to render, for the UI. */
export function foundAnnouncements(definitions: readonly string[], instances: readonly string[]): ValueMap[] {
  const found = (name: string, tooltip: string, items: readonly string[]): ValueMap => ({
    name,
    title: titleOf(name),
    tooltip: `${tooltip} Shown only: setting it changes nothing.`,
    collectionType: 'array',
    array: [...items],
  });
  return [
    found(
      FOUND_DEFINITIONS,
      'The ResourceGraphDefinitions that were found, and the kinds that they define.',
      definitions,
    ),
    found(FOUND_INSTANCES, 'The instances that were found.', instances),
  ];
}

/** The keys are those of Argo CD's ParameterAnnouncement. Whatever the item type, values come as strings. */
function announce(name: string, option: Option): ValueMap {
  const described = {
    name,
    title: titleOf(name),
    tooltip: describe(option, 'plugin'),
    required: false,
    itemType: ITEM_TYPES[option.type],
  };
  return option.type === 'list'
    ? { ...described, collectionType: 'array', array: [...option.default] }
    : { ...described, collectionType: 'string', string: String(option.default) };
}

const ITEM_TYPES: Readonly<Record<Option['type'], string>> = {
  boolean: 'boolean',
  integer: 'number',
  string: 'string',
  choice: 'string',
  list: 'string',
};

/** `onPending` as 'On pending'. */
function titleOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
