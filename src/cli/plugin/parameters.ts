import { Collector } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type InputObject, titleOf } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { type Definition, readRgds } from '../../kro/definition/index.ts';
import { readPackage } from '../../kubernetes/front-end/index.ts';
import { FOUND_DEFINITIONS, FOUND_INSTANCES, type Option, pluginOptions } from '../../render/options/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { readStreams, type TextStream } from '../../yaml/parse/index.ts';
import { readFiles } from '../files.ts';
import { describeOption } from '../option-help.ts';
import type { Output } from '../output.ts';
import type { Given } from './given.ts';

interface Found {
  definitions: readonly Definition[];
  /** Objects of the kinds of the definitions. */
  instances: readonly InputObject[];
}

/** Returns the objects to render in some texts. `generate` reports their errors. */
export function findIn(texts: readonly TextStream[], beside: readonly TextStream[]): Found {
  const unheard = new Collector();
  const objects = readStreams(texts, unheard);
  const pack = readPackage({ objects, definitions: readStreams(beside, unheard) }, [], unheard);
  const { definitions, candidates } = readRgds(pack, unheard);
  const kinds = new Set(definitions.map(groupKind));
  return { definitions, instances: candidates.filter(({ object }) => kinds.has(groupKind(groupVersionKind(object)))) };
}

/** Returns the readable files at some paths. */
export function readLeniently(paths: readonly string[], { settings, within }: Given): TextStream[] {
  const named = paths.filter((path) => path !== '-');
  return readFiles(named, { exclude: settings.exclude, within }, new Collector());
}

/**
 * Returns a JSON array of parameter announcements with the found objects. It precedes the static ones of plugin.yaml.
 */
export function announceFound(given: Given): Output {
  const beside = readLeniently(given.settings.definitions, given);
  const { definitions, instances } = findIn(readLeniently(['.'], given), beside);
  const defined = definitions.map((definition) => `${definition.name}: ${groupKind(definition)}`);
  const titles = instances.map(({ object }) => titleOf(object));
  return [toJsonText(foundAnnouncements(defined, titles)), '\n'];
}

/** Returns the parameters of every Application for the UI of Argo CD: the options, with their defaults. */
export const optionAnnouncements = (): ValueMap[] =>
  Object.entries(pluginOptions).map(([name, option]) => announce(name, option));

/** Returns the found objects for the UI. */
export function foundAnnouncements(definitions: readonly string[], instances: readonly string[]): ValueMap[] {
  const found = (name: string, tooltip: string, items: readonly string[]): ValueMap => ({
    name,
    title: titleOfOption(name),
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
    title: titleOfOption(name),
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
function titleOfOption(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
