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
  return readFiles(named, { exclude: settings.exclude, stdin: new Uint8Array(), within }, new Collector());
}
