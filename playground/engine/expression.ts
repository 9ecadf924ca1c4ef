import { toJson } from '../../src/api/index.ts';
import { readRenderInput } from '../../src/api/package.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { addressOf } from '../../src/describe/address/index.ts';
import {
  type Evaluated,
  type ExpressionAnswer,
  explainable,
  explainInRun,
  expressionsAt,
} from '../../src/describe/explain/index.ts';
import { typeText } from '../../src/language-server/cel/types.ts';
import { clipped, stepsOf } from './origin.ts';
import { inputOf, optionsOf } from './package.ts';
import type { ExpressionAt, ExpressionPart, Located, Package } from './protocol.ts';

/** Explains the expression at a position of a file, for the instance with an address or the first one. */
export function expressionAt(pack: Package, at: Located, instance: string): ExpressionAt | undefined {
  const { input, options } = readRenderInput(inputOf(pack), optionsOf(pack));
  const { package: expanded } = explainable(input, options);
  if (expanded === undefined) return undefined;
  const found = expressionsAt(at, expanded);
  const instances = found.map(({ run }) => ({ address: addressOf(run.instance), title: addressOf(run.instance) }));
  const chosen = Math.max(
    0,
    instances.findIndex(({ address }) => address === instance),
  );
  const own = found[chosen];
  if (own === undefined) return undefined;
  const answer = explainInRun(own, expanded);
  const { explained, type, skipped, reads } = answer;
  return {
    text: explained.source,
    type: typeText(type),
    field: explained.field,
    node: own.node?.id ?? '',
    instance: instances[chosen]?.address ?? '',
    instances,
    ...(skipped ? { value: '', isFault: false } : resultOf(explained)),
    note: noteOf(answer),
    parts: skipped ? [] : explained.parts.flatMap((part) => partsOf(part, 0)),
    reads: reads.flatMap((origin) => stepsOf(origin, 0)),
  };
}

function noteOf({ skipped, isOfFirstItem }: ExpressionAnswer): string {
  if (skipped) return 'The node is skipped in this instance, so the expression has no value.';
  return isOfFirstItem ? 'The value of the first item of the collection.' : '';
}

function resultOf({ value, missing, unshown }: Evaluated): { readonly value: string; readonly isFault: boolean } {
  if (value === undefined) return { value: missing ?? unshown ?? '', isFault: true };
  return { value: clipped(toJson(value as JsonValue, 0)), isFault: false };
}

function partsOf(part: Evaluated, depth: number): ExpressionPart[] {
  return [{ depth, text: part.source, ...resultOf(part) }, ...part.parts.flatMap((one) => partsOf(one, depth + 1))];
}
