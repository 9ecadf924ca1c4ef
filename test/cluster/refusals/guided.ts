import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { getAt, isMap, type Path, type Value } from '../../../src/core/model/value.ts';
import { type Draw, sample } from '../../differential/draw.ts';
import { drawMutant, type Mutant, mutated, placesIn, valuesByField } from './mutants.ts';
import { faultsOf } from './ours.ts';
import { requirementRecorder, requirements, ruleTable } from './requirements.ts';

/** A change that a requirement rejects, for the API server to judge. */
export interface Candidate {
  requirement: number;
  mutant: Mutant;
}

/**
 * Searches for changes of the objects that each of the requirements rejects: it draws `count` changes of each, and goes on
 * from those that reach a requirement for the first time. Our rules choose only what is sent to the API server, which decides.
 */
export function candidatesFor(
  objects: readonly KubeObject[],
  isOpen: (requirement: number) => boolean,
  { seed, count, each = 3 }: { seed: number; count: number; each?: number },
): Candidate[] {
  const check = requirementRecorder();
  const reached = new Set<number>();
  const found = new Map<number, Candidate[]>();
  const elsewhere = valuesByField(objects);
  for (const [field, values] of valuesOfRules()) elsewhere.set(field, [...(elsewhere.get(field) ?? []), ...values]);
  const open = new Set([...requirements.keys()].filter(isOpen));
  for (const object of objects) for (const index of check(object).reached) reached.add(index);

  const step = (draw: Draw, base: number, pool: KubeObject[]): void => {
    let object = draw.pick(pool);
    for (let times = draw.int(1, 2); times > 0; times--) {
      object = mutated(object, draw.chance(10) ? longMutant(draw, object) : drawMutant(draw, [object], elsewhere));
    }
    const original = objects[base] as KubeObject;
    const verdict = check(object);
    const isNew = [...verdict.reached].some((index) => !reached.has(index));
    const rejecting = [...verdict.refused.keys()].filter((index) => open.has(index));
    if (!isNew && rejecting.length === 0) return;
    const faults = faultsOf(object).length;
    // What the schema rejects too says nothing of the rule; a name may be rejected by the rule of all names too.
    const isAlone = [...verdict.refused.values()].reduce((sum, fields) => sum + fields.size, 0) >= faults - 1;
    if (isNew && faults === 0) {
      for (const index of verdict.reached) reached.add(index);
      pool.push(object);
    }
    if (!isAlone) return;
    for (const requirement of rejecting) {
      const known = found.get(requirement) ?? [];
      found.set(requirement, known);
      if (known.length >= each && faults > 1) continue;
      known.unshift({ requirement, mutant: { base, ...difference(original, object) } });
      if (faults === 1 && known.length >= each) open.delete(requirement);
    }
  };
  for (const [base, object] of objects.entries()) {
    const pool = [object];
    sample((draw) => step(draw, base, pool), count, seed + base);
  }
  return [...found.values()].flatMap((all) => all.slice(0, each));
}

/** Returns a change to a list or a text of more items or letters than a limit allows. */
function longMutant(draw: Draw, object: KubeObject): Mutant {
  const places = placesIn(object).filter((path) => {
    const value = getAt(object, path);
    return typeof value === 'string' || (Array.isArray(value) && value.length > 0);
  });
  if (places.length === 0) return { base: 0, path: ['spec', 'a'] };
  const path = draw.pick(places);
  const before = getAt(object, path);
  const length = draw.pick([3, 4, 21, 33, 65]);
  if (!Array.isArray(before)) return { base: 0, path, value: `a.b/${'x'.repeat(length * 4)}` };
  const first = before[0] as Value;
  const items = Array.from({ length }, (_, index): Value => {
    if (typeof first === 'string') return `${first}${index}`;
    if (!isMap(first)) return first;
    const key = ['name', 'key'].find((one) => typeof first[one] === 'string');
    return key === undefined ? first : { ...first, [key]: `${String(first[key])}${index}` };
  });
  return { base: 0, path, value: items };
}

/** Returns one change that makes a value equal to another. */
function difference(before: Value, after: Value, path: Path = []): { path: Path; value: Value } | { path: Path } {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const changed = [...before.keys()].filter((index) => !isDeepStrictEqual(before[index], after[index]));
    const [only = 0] = changed;
    if (changed.length === 1) return difference(before[only] as Value, after[only] as Value, [...path, only]);
  }
  if (isMap(before) && isMap(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
    const [only = ''] = changed;
    if (changed.length === 1) {
      if (!Object.hasOwn(after, only)) return { path: [...path, only] };
      const value = after[only] as Value;
      if (!Object.hasOwn(before, only)) return { path: [...path, only], value };
      return difference(before[only] as Value, value, [...path, only]);
    }
  }
  return { path, value: after };
}

/** Returns the values that the tables name, by the last step of the field. */
function valuesOfRules(): Map<string, Value[]> {
  const found = new Map<string, Value[]>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (typeof node === 'object' && node !== null) {
      const { field, values } = node as { field?: string | string[]; values?: unknown[] };
      for (const one of [field ?? []].flat()) {
        const key =
          one
            .split('.')
            .at(-1)
            ?.replace(/[[{].*$/, '') ?? '';
        const texts = (values ?? []).map((value) => (typeof value === 'number' ? BigInt(value) : (value as Value)));
        if (key !== '' && texts.length > 0) found.set(key, [...(found.get(key) ?? []), ...texts]);
      }
      for (const one of Object.values(node)) visit(one);
    }
  };
  visit(ruleTable);
  return found;
}
