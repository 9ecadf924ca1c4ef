import type { ValueMap } from '../../core/model/value.ts';
import { FOUND_DEFINITIONS, FOUND_INSTANCES, type Option, pluginOptions } from '../../render/options/index.ts';
import { describeOption } from '../option-help.ts';

/** Returns the parameters of every Application for the UI of Argo CD: the options, with their defaults. */
export const optionAnnouncements = (): ValueMap[] =>
  Object.entries(pluginOptions).map(([name, option]) => announce(name, option));

/** Returns the found objects for the UI. */
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

/** The keys are those of Argo CD's ParameterAnnouncement. Values are strings, whatever the item type. */
function announce(name: string, option: Option): ValueMap {
  const described = {
    name,
    title: titleOf(name),
    tooltip: option.type === 'list' ? option.description : describeOption(option),
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
