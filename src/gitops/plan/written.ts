import { composeText, counted, joinTexts, type Text, trusted } from '../../core/diagnostics/index.ts';
import { equal, isMap, type Value } from '../../core/model/value.ts';
import type { Application } from './application.ts';
import type { Written } from './elsewhere.ts';

/**
 * Returns how the sources of an application change that are not rendered here, as they are written:
 * `chart redis 6.5.0 -> 6.6.0; values: 2 fields`.
 */
export function writtenChange(old: Application, newer: Application): Text | undefined {
  const before = writtenOf(old);
  const after = writtenOf(newer);
  const parts = after.flatMap((one, index) => partsOf(before[index], one));
  return parts.length === 0 ? undefined : joinTexts(parts, '; ');
}

const writtenOf = ({ sources }: Application): Written[] =>
  sources.flatMap((one) => (one.type === 'none' && one.elsewhere !== undefined ? [one.elsewhere] : []));

function partsOf(before: Written | undefined, after: Written): Text[] {
  if (before === undefined) return [];
  const parts: Text[] = [];
  if (before.chart !== after.chart || before.version !== after.version) {
    const what = after.chart === '' ? composeText`revision` : composeText`chart`;
    const from = titleOf(before);
    const to = titleOf(after);
    parts.push(composeText`${what} ${trusted.definition(from)} -> ${trusted.definition(to)}`);
  }
  const values = differences(before.values, after.values);
  if (values > 0) parts.push(composeText`values: ${counted(values, 'field')}`);
  const others = differences(before.rest, after.rest);
  if (others > 0) parts.push(composeText`${counted(others, 'other field')}`);
  return parts;
}

const titleOf = ({ chart, version }: Written): string => [chart, version].filter((part) => part !== '').join(' ');

/** Counts the fields that differ. */
function differences(before: Value | undefined, after: Value | undefined): number {
  if (before === undefined || after === undefined) return before === after ? 0 : 1;
  if (equal(before, after)) return 0;
  if (!isMap(before) || !isMap(after)) return 1;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  let count = 0;
  for (const key of keys) count += differences(ownOf(before, key), ownOf(after, key));
  return count;
}

const ownOf = (map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;
