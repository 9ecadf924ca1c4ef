import { type Collector, phrase, reporterFor } from '../../core/diagnostics/index.ts';
import { isObserved } from '../../core/model/annotations.ts';
import { type Document, groupVersionKind, type InputObject, identityOf, titleOf } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { get } from '../../core/model/value.ts';
import { distinct } from '../../kubernetes/front-end/index.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';

/**
 * Returns the objects in the output of kubectl, lists flattened. Its error responses, tables and contradictions are
 * errors.
 */
export function liveObjects(inputs: readonly Document[], reports: Collector): InputObject[] {
  const objects = distinct(flattenObjects(inputs, reports)).filter((input) => !isAnswer(input, reports));
  const known = new Set<string>();
  return objects.filter((input) => {
    const key = identityOf(input.object);
    if (!known.has(key)) return known.add(key);
    const message = phrase`${titleOf(input.object)} is a duplicate with different contents`;
    reporterFor(input, reports).report({ code: 'observed-twice', message, path: ['metadata', 'name'] });
    return false;
  });
}

/** Reports whether an object is a response of the API server instead of an object. */
function isAnswer(input: InputObject, reports: Collector): boolean {
  const { group, kind } = groupVersionKind(input.object);
  const isStatus = group === '' && kind === 'Status';
  if (!isStatus && !(group === 'meta.k8s.io' && kind === 'Table')) return false;
  const text = get(input.object, 'message');
  const message = isStatus
    ? phrase`expected an object, got an answer of the API server: ${typeof text === 'string' ? text : phrase`a Status`}`
    : phrase`this is a table, not objects; use kubectl get -o yaml`;
  reporterFor(input, reports).report({ code: 'observed-answer', message, path: ['kind'] });
  return true;
}

/** Returns the input with live objects instead of earlier observations of the same objects. */
export function withLive(input: RenderInput, { live, earlier }: Observation, reports: Collector): RenderInput {
  const known = new Set(live.map(keyOf));
  const isNew = (one: InputObject): boolean => !known.has(keyOf(one));
  const observed = [...live, ...earlier.filter(isNew)];
  for (const one of observed) known.add(keyOf(one));
  const objects = flattenObjects(input.objects, reports);
  return {
    ...input,
    objects: objects.filter((one) => !isObserved(one.object) || isNew(one)),
    observed: [...observed, ...flattenObjects(input.observed ?? [], reports).filter(isNew)],
  };
}

const keyOf = ({ object }: InputObject): string => identityOf(object);

/** Live objects, and those of an earlier observation that are kept if there is no newer one. */
export interface Observation {
  live: readonly InputObject[];
  earlier: readonly InputObject[];
}
