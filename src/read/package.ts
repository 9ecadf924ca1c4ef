import type { Collector } from '../diagnostics/index.ts';
import { withoutBookkeeping } from '../model/bookkeeping.ts';
import { MODE } from '../model/mode.ts';
import {
  annotationOf,
  type Document,
  groupVersionKind,
  type InputObject,
  type KubeObject,
  nameOf,
} from '../model/object.ts';
import { equal, get } from '../model/value.ts';
import { flattenObjects } from '../parse/index.ts';
import { isRgd } from '../rgd/definition/index.ts';

/** The objects of an input by what they are for. Lists are flattened, and what is no object is left out. */
export interface SortedObjects {
  /** All objects, in order. */
  objects: InputObject[];
  /** ResourceGraphDefinitions; of deeply equal ones only the first. */
  rgds: InputObject[];
  crds: InputObject[];
  /** Objects annotated as live ones: they supply values and are never rendered. */
  observed: InputObject[];
  others: InputObject[];
}

const OBSERVED = 'render-rgd.dev/observed';
/** What is asked for by this is no mere note. */

/** Sorts out what was read. Objects whose apiVersion, kind or metadata is of the wrong type are reported. */
export function sortPackage(inputs: readonly Document[], reports: Collector): SortedObjects {
  const objects = flattenObjects(inputs, reports);
  const sorted: SortedObjects = { objects, rgds: [], crds: [], observed: [], others: [] };
  for (const input of objects) sorted[roleOf(input.object)].push(input);
  sorted.rgds = distinct(sorted.rgds);
  return sorted;
}

function roleOf(object: KubeObject): 'rgds' | 'crds' | 'observed' | 'others' {
  if (annotationOf(object, OBSERVED) === 'true') return 'observed';
  if (isRgd(object)) return 'rgds';
  const { group, version, kind } = groupVersionKind(object);
  const isCrd = group === 'apiextensions.k8s.io' && version === 'v1' && kind === 'CustomResourceDefinition';
  return isCrd ? 'crds' : 'others';
}

/**
 * The inputs without those that repeat an earlier one: the same file can be reached on two ways. What a runner or an
 * earlier rendering noted on one of them makes no difference.
 */
export function distinct(inputs: readonly InputObject[]): InputObject[] {
  const byName = new Map<string, InputObject[]>();
  return inputs.filter((input) => {
    const name = `${nameOf(input.object)}/${String(get(get(input.object, 'metadata'), 'namespace') ?? '')}`;
    const alike = byName.get(name) ?? [];
    if (alike.some(({ object }) => areTwins(object, input.object))) return false;
    byName.set(name, [...alike, input]);
    return true;
  });
}

const areTwins = (one: KubeObject, other: KubeObject): boolean =>
  equal(withoutBookkeeping(one), withoutBookkeeping(other)) && annotationOf(one, MODE) === annotationOf(other, MODE);
