import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../src/core/model/limits.ts';
import { check, createBudget, kroEnvironment, parse, plan, toJson } from '../../../src/languages/cel/index.ts';
import { EvaluationError } from '../../../src/languages/cel/value/values.ts';
import { partOf } from '../../properties/runs.ts';
import { boundCases } from './bounds-cases.ts';

interface Ending {
  text: string;
  steps: number;
  size: number;
}

/** Returns the result of an expression, and its cost. */
function ending(source: string): Ending {
  const budget = createBudget();
  const end = (text: string): Ending => ({ text, steps: budget.steps, size: budget.size });
  const parsed = parse(source);
  if (!parsed.ok) return end(`syntax: ${parsed.issue.message}`);
  const checked = check(kroEnvironment(), parsed.expression, new Map());
  if (!checked.ok) return end(`check: ${checked.issues[0]?.message}`);
  try {
    const value = toJson(plan(kroEnvironment(), checked.checked, []).run([], budget));
    return end(typeof value === 'bigint' ? `${value}` : JSON.stringify(value));
  } catch (error) {
    if (error instanceof EvaluationError) return end(`${error.kind}: ${error.message}`);
    throw error;
  }
}

/** The first result of each case. */
const endings = new Map<string, Ending>();

// bench/bounds.mjs measures time and memory: a busy machine must not fail a test.
const every = Object.entries(boundCases).flatMap(([group, cases]) => cases.map((one) => ({ group, ...one })));
describe('an expression ends as it should, with few steps', () => {
  test.each(partOf(every, 12))('$group: $name', ({ source, ends }) => {
    const first = ending(source);
    endings.set(source, first);
    const { text, steps, size } = first;
    if (typeof ends === 'string') expect(text).toBe(ends);
    else expect(text).toMatch(ends);
    if (text.startsWith('budget: ')) return;
    expect(steps).toBeLessThanOrEqual(defaultLimits.maxSteps);
    expect(size).toBeLessThanOrEqual(defaultLimits.maxSize);
  });
});

/** A value of n parts, and calls that must read, or create, every part. */
const linear: Readonly<Record<string, { value: (n: number) => string; calls: readonly string[] }>> = {
  lists: {
    value: (n) => `lists.range(${n})`,
    calls: [
      'v + v',
      'v == v.reverse().reverse()',
      '-1 in v',
      'v.indexOf(-1)',
      'v.lastIndexOf(-1)',
      'v.slice(0, v.size())',
      'v.reverse()',
      'v.sort()',
      'v.distinct()',
      'v.sum()',
      'v.min()',
      'v.max()',
      'v.isSorted()',
      '[v].flatten()',
      'json.marshal(v)',
      'v.map(x, x)',
      'v.filter(x, x > 0)',
      'v.all(x, x >= 0)',
      'v.transformMapEntry(i, x, {string(i): x})',
    ],
  },
  texts: {
    value: (n) => `lists.range(${n}).map(i, "ab").join()`,
    calls: [
      'v + v',
      'v == v.reverse().reverse()',
      'v < v + "c"',
      'v.contains("c")',
      'v.indexOf("c")',
      'v.lastIndexOf("c")',
      'v.replace("a", "c")',
      'v.split("a")',
      'v.upperAscii()',
      'v.lowerAscii()',
      'v.trim()',
      'v.reverse()',
      'v.substring(1)',
      'v.size()',
      'v.matches("^(ab)*c$")',
      'v.find("c")',
      'v.findAll("a")',
      'hash.sha256(v)',
      'hash.md5(v)',
      'base64.encode(bytes(v))',
      'strings.quote(v)',
      '"%s".format([v])',
      'json.marshal(v)',
    ],
  },
};

describe.each(Object.entries(linear))('the cost of %s is proportional to their length', (_, { value, calls }) => {
  /** Returns the cost of a call on a value of `n` parts, without the cost of the value itself. */
  const spent = (n: number, call: string): number => {
    const [made, called] = ['true', `[${call}].size() == 1`].map((body) => {
      const { text, steps, size } = ending(`cel.bind(v, ${value(n)}, ${body})`);
      expect(text).toBe('true');
      return steps + size;
    });
    return (called ?? 0) - (made ?? 0);
  };

  test.each(calls)('%s', (call) => {
    const once = spent(1000, call);
    expect(once).toBeGreaterThan(10);
    expect(spent(8000, call)).toBeGreaterThan(5 * once);
  });
});

describe('budgets are deterministic', () => {
  test.each(partOf(every, 24))('$group: $name', ({ source }) => {
    expect(ending(source)).toEqual(endings.get(source) ?? ending(source));
  });
});

/** Returns the steps of one call, without those of the loop around it. */
const stepsOf = (body: string): number => {
  const stepsIn = (predicate: string): number => ending(`lists.range(100).all(x, ${predicate})`).steps / 100;
  return stepsIn(`dyn(${body}) != dyn(null)`) - stepsIn('dyn(x) != dyn(null)');
};

// As measured: dates, digests and encodings take ten times as long as an addition, or more.
test.each([
  ['x + 1', 1],
  ['timestamp(x)', 5],
  ["timestamp('2020-01-01T00:00:00Z') + duration(string(x) + 's')", 200],
  ['string(timestamp(x))', 25],
  ['timestamp(string(timestamp(x)))', 50],
  ["string(duration(string(x) + 's'))", 200],
  ['timestamp(x).getFullYear()', 10],
  ["timestamp(x).getHours('+02:00')", 15],
  ['int(string(x))', 5],
  ['string(double(x))', 20],
  ['bytes(string(x))', 10],
  ['string(bytes(string(x)))', 20],
  ['base64.encode(bytes(string(x)))', 20],
  ['hash.sha256(string(x))', 50],
  ['hash.md5(string(x))', 50],
  ['random.seededString(5, string(x))', 50],
  ['random.seededInt(1, 5, string(x))', 50],
  ["json.marshal({'a': x})", 30],
  ['json.unmarshal(string(x))', 15],
  ["'%d'.format([x])", 10],
  ["string(x).replace('1', '2')", 10],
  ['isSemver(string(x))', 200],
])('%s takes at least %i steps', (body, least) => {
  expect(stepsOf(body)).toBeGreaterThanOrEqual(least);
});
