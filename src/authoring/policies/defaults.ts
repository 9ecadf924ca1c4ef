import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import { conformityOf, createPatternBudget } from '../../kubernetes/validation/index.ts';
import { Unknown, type Watch } from './evaluate.ts';

/** Returns an object as a policy sees it: with defaults, and with unknown values for what a cluster sets. */
export function asStored(
  object: KubeObject,
  isNew: boolean | undefined,
  kinds: KindRegistry,
  watch: Watch,
): Record<string, unknown> {
  const gvk = groupVersionKind(object);
  const custom = builtinKinds.find(gvk) === undefined;
  const schema = kinds.find(gvk);
  const written = custom ? (schema?.written?.() ?? schema?.schema) : undefined;
  const { status: _, ...applied } = object;
  const defaulted =
    written === undefined
      ? applied
      : (conformityOf(written, applied, { custom: true, patterns: createPatternBudget() }).object as ValueMap);
  const metadata = get(object, 'metadata');
  const set = new Unknown('fields that the API server sets', watch);
  return {
    ...defaulted,
    metadata: {
      ...(isMap(metadata) ? metadata : {}),
      uid: set,
      creationTimestamp: set,
      managedFields: set,
      generation: set,
      ...(isNew === true ? {} : { resourceVersion: set }),
    },
    ...(isNew === true ? {} : { status: set }),
  };
}
