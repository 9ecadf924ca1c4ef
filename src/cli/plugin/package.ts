import { Collector } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type InputObject } from '../../core/model/object.ts';
import { type Definition, groupKind } from '../../kro/definition/index.ts';
import { readRgds } from '../../kro/read/index.ts';
import { readPackage } from '../../kubernetes/front-end/index.ts';
import { readStreams, type TextStream } from '../../yaml/parse/index.ts';
import { readFiles } from '../files.ts';
import type { Given } from './given.ts';

export interface Found {
  definitions: readonly Definition[];
  /** Objects of a kind that one of the definitions defines. */
  instances: readonly InputObject[];
}

/** What of some texts there is to render. Whatever is wrong with them is for `generate` to say. */
export function findIn(texts: readonly TextStream[], beside: readonly TextStream[]): Found {
  const unheard = new Collector();
  const objects = readStreams(texts, unheard);
  const pack = readPackage({ objects, definitions: readStreams(beside, unheard) }, [], unheard);
  const { definitions, candidates } = readRgds(pack, unheard);
  const kinds = new Set(definitions.map(groupKind));
  return { definitions, instances: candidates.filter(({ object }) => kinds.has(groupKind(groupVersionKind(object)))) };
}

/** The files of some paths as far as they can be read. */
export function readLeniently(paths: readonly string[], { settings, within }: Given): TextStream[] {
  const named = paths.filter((path) => path !== '-');
  return readFiles(named, { exclude: settings.exclude, stdin: new Uint8Array(), within }, new Collector());
}
