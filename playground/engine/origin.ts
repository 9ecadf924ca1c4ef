import { toJson } from '../../src/api/index.ts';
import { explain, formatExplanation, type Origin } from '../../src/api/tools/index.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { inputOf, optionsOf } from './package.ts';
import type { FieldOrigin, OriginStep, Package } from './protocol.ts';

/** Returns the origin of a field of a rendered object, one step for each source. */
export function originOf(pack: Package, object: string, field: string): FieldOrigin | { fault: string } {
  const { explanation, diagnostics } = explain(inputOf(pack), { object, field }, optionsOf(pack));
  if (explanation?.about !== 'field') return { fault: diagnostics[0]?.message ?? 'nothing explains this field' };
  const { details } = explanation;
  return {
    object: details.object,
    field: details.field,
    text: formatExplanation(explanation),
    steps: stepsOf(details.origin, 0),
  };
}

/** Returns an origin and those behind it as steps. */
export function stepsOf(origin: Origin, depth: number): OriginStep[] {
  const { from, what, value, expression, place } = origin;
  const step: OriginStep = {
    depth,
    from,
    what,
    ...(value === undefined ? {} : { value: clipped(toJson(value as JsonValue, 0)) }),
    ...(expression === undefined ? {} : { expression: expression.source }),
    ...((place ?? expression?.place) === undefined ? {} : { place: place ?? expression?.place }),
  } as OriginStep;
  return [step, ...origin.behind.flatMap((one) => stepsOf(one, depth + 1))];
}

export const clipped = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);
