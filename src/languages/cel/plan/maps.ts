import { keyOf } from '../access.ts';
import type { MapExpr } from '../ast.ts';
import { spendEntries } from '../budget.ts';
import { kindOf } from '../value/kind.ts';
import { mapFrom } from '../value/maps.ts';
import { type CelKey, type CelValue, failure, keyText } from '../value/values.ts';
import { addPresent, type Planner, planExpr } from './planner.ts';
import { located, type Planned, type Run } from './step.ts';

/** Plans a map literal. The last value of a duplicate key wins, as in cel-go, unless the environment forbids it. */
export function planMap(p: Planner, expr: MapExpr): Planned {
  const entries = expr.entries.map(({ key, value, optional }) => ({
    key: planExpr(p, key),
    value: planExpr(p, value),
    optional,
    keyId: key.id,
    valueId: value.id,
  }));
  const unique = p.env.uniqueKeys;
  const run: Run = (frame) => {
    spendEntries(frame.budget, entries.length);
    const pairs: [CelKey, CelValue][] = [];
    const seen = unique ? new Set<string>() : undefined;
    for (const entry of entries) {
      const key = mapKey(entry.key.run(frame), entry.keyId);
      if (seen !== undefined) {
        const text = keyText(key);
        if (seen.has(text)) throw located(failure('Failed with repeated key'), entry.keyId);
        seen.add(text);
      }
      const value = entry.value.run(frame);
      if (!entry.optional) pairs.push([key, value]);
      else addPresent(value, entry.valueId, (present) => pairs.push([key, present]));
    }
    return mapFrom(pairs);
  };
  return { run, constant: entries.every(({ key, value }) => key.constant && value.constant) };
}

function mapKey(value: CelValue, id: number): CelKey {
  const key = typeof value === 'number' ? undefined : keyOf(value);
  if (key === undefined) throw located(failure(`unsupported key type: ${kindOf(value)}`), id);
  return key;
}
