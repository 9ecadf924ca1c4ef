import { type Document, groupVersionKind, isKubeObject, type KubeObject } from '../model/object.ts';
import { GROUP, PROVIDER, SET } from '../model/resource-set.ts';
import { equal, get, isMap, type Value, type ValueMap } from '../model/value.ts';

/** The namespace of ResourceSets that name none. */
export const DEFAULT_NAMESPACE = 'default';

/** An object that is set to `disabled` by this annotation is not rendered. */
export const RECONCILE = `${GROUP}/reconcile`;

const isOf = (object: KubeObject, kind: string): boolean =>
  object.kind === kind && groupVersionKind(object).group === GROUP;

/** Whether an object is a ResourceSet of the Flux operator (https://fluxoperator.dev/docs/crd/resourceset/). */
export const isResourceSet = (object: KubeObject): boolean => isOf(object, SET);

/** The Flux operator reads numbers and booleans as texts where its types have texts: in names, labels, annotations. */
export function coerced(input: Document): Document {
  const { object } = input;
  if (!isKubeObject(object) || !(isResourceSet(object) || isInputProvider(object))) return input;
  const metadata = get(object, 'metadata');
  if (!isMap(metadata)) return input;
  const made: ValueMap = { ...metadata };
  for (const key of ['name', 'namespace']) if (isScalar(made[key])) made[key] = String(made[key]);
  for (const key of ['labels', 'annotations']) {
    const map = made[key];
    if (!isMap(map)) continue;
    made[key] = Object.fromEntries(
      Object.entries(map).map(([name, value]) => [name, isScalar(value) ? String(value) : value]),
    );
  }
  return equal(made, metadata) ? input : { ...input, object: { ...object, metadata: made } };
}

const isScalar = (value: Value | undefined): boolean =>
  value !== null && /^(?:boolean|bigint|number)$/.test(typeof value);

/** Whether an object gives inputs to ResourceSets. */
export const isInputProvider = (object: KubeObject): boolean => isOf(object, PROVIDER);
