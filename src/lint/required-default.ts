import { isMap, type Path, type Value, type ValueMap } from '../model/value.ts';
import { markersOf } from '../rgd/simpleschema/index.ts';
import type { Finding, Subject } from './subject.ts';

/** A field that is required and has a default: the default is always there, so nothing is required. */
export function* requiredDefault({ definition }: Subject): Iterable<Finding> {
  for (const part of ['spec', 'types'] as const) yield* inFields(definition.schema[part], ['spec', 'schema', part]);
}

function* inFields(value: Value | undefined, path: Path): Iterable<Finding> {
  if (isMap(value)) {
    for (const key of Object.keys(value)) yield* inFields((value as ValueMap)[key], [...path, key]);
    return;
  }
  if (typeof value !== 'string') return;
  const markers = markersOf(value);
  const required = markers.find((marker) => marker.name === 'required' && marker.value === 'true');
  if (required === undefined || !markers.some(({ name }) => name === 'default')) return;
  const message = 'the field is required and has a default: nobody has to give it';
  yield { message, path, offset: required.offset, hint: 'remove required=true, or the default' };
}
