import { Collector } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type InputObject, titleOf } from '../../core/model/object.ts';
import type { Definition } from '../../kro/definition/index.ts';
import { readRgds } from '../../kro/read/index.ts';
import { readPackage } from '../../kubernetes/front-end/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { readStreams, type TextStream } from '../../yaml/parse/index.ts';
import { readFiles } from '../files.ts';
import type { Output } from '../output.ts';
import { foundAnnouncements } from './announcements.ts';
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
