import { type Collector, phrase, reporterFor } from '../core/diagnostics/index.ts';
import {
  type Document,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
} from '../core/model/object.ts';
import { GROUP, PROVIDER, SET } from '../core/model/resource-set.ts';
import { equal, get, isMap, type Value, type ValueMap } from '../core/model/value.ts';

const isOf = (object: KubeObject, kind: string): boolean =>
  object.kind === kind && groupVersionKind(object).group === GROUP;

/** Whether an object is a ResourceSet of the Flux operator (https://fluxoperator.dev/docs/crd/resourceset/). */
export const isResourceSet = (object: KubeObject): boolean => isOf(object, SET);

/** Converts numbers and booleans to strings in names, labels and annotations, as the Flux operator does. */
export function coerced(input: Document): Document {
  const { object } = input;
  if (!isKubeObject(object) || !(isResourceSet(object) || isInputProvider(object))) return input;
  const metadata = get(object, 'metadata');
  if (!isMap(metadata)) return input;
  const result: ValueMap = { ...metadata };
  for (const key of ['name', 'namespace'] as const) if (isScalar(result[key])) result[key] = String(result[key]);
  for (const key of ['labels', 'annotations'] as const) {
    const map = result[key];
    if (!isMap(map)) continue;
    result[key] = Object.fromEntries(
      Object.entries(map).map(([name, value]) => [name, isScalar(value) ? String(value) : value]),
    );
  }
  return equal(result, metadata) ? input : { ...input, object: { ...object, metadata: result } };
}

const isScalar = (value: Value | undefined): boolean =>
  value !== null && /^(?:boolean|bigint|number)$/.test(typeof value);

export const isInputProvider = (object: KubeObject): boolean => isOf(object, PROVIDER);

/**
 * Returns the objects of a named file, as `flux-operator build rset -f` reads it: if its first document is a
 * ResourceSet, other ResourceSets of the file are ignored. The rule applies to this command only, for compatibility: a
 * cluster accepts all of them, and so folders, standard input, functions and the plugin read files to their end.
 */
export function firstOfFile(objects: readonly Document[], reports: Collector): Document[] {
  const [first] = objects;
  if (first === undefined || !isSet(first)) return [...objects];
  return objects.filter((one) => {
    if (one === first || !isSet(one)) return true;
    const message = phrase`it is not rendered: of a file that is named on the command line only the first ResourceSet is, as flux-operator build rset -f does`;
    const hint = phrase`pass the folder of the file, pipe the file, or write each ResourceSet to its own file`;
    const problem = { code: 'resourceset-left-out', message, path: ['kind'], severity: 'warning', hint } as const;
    reporterFor(one, reports).report(problem);
    return false;
  });
}

const isSet = (one: Document): one is InputObject => isKubeObject(one.object) && isResourceSet(one.object);
