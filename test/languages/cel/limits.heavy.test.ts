import { describe, expect, test } from 'vitest';
import {
  type Budget,
  check,
  createBudget,
  isExhausted,
  kroEnvironment,
  parse,
  plan,
} from '../../../src/languages/cel/index.ts';
import { DYN } from '../../../src/languages/cel/types.ts';
import { type CelValue, EvaluationError } from '../../../src/languages/cel/value/values.ts';
import { evaluate } from './engine.ts';

/** Binds `x0` to `first` and each further `x` to `step` of the one before. */
function chain(count: number, first: string, step: (previous: string) => string, body: string): string {
  let source = body;
  for (let index = count - 1; index >= 0; index--) {
    source = `cel.bind(x${index}, ${index === 0 ? first : step(`x${index - 1}`)}, ${source})`;
  }
  return source;
}

/** A list of two equal lists, 60 levels deep. */
const nest = (body: string): string => chain(60, '["ab"]', (x) => `[${x}, ${x}]`, body);

function run(source: string, budget: Budget): CelValue {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  const checked = check(kroEnvironment(), parsed.expression, new Map());
  if (!checked.ok) throw new Error(checked.issues[0]?.message);
  return plan(kroEnvironment(), checked.checked, []).run([], budget);
}

describe('evaluations without end are rejected', () => {
  test.each([
    ['nested ranges', 'lists.range(100000).all(i, lists.range(100000).all(j, true))'],
    ['lists of lists', 'lists.range(100000).map(i, lists.range(100000))'],
    ['a text doubled 60 times', chain(60, '"ab"', (x) => `${x} + ${x}`, 'x59.size()')],
    ['a list doubled 60 times', chain(60, '["ab"]', (x) => `${x} + ${x}`, 'x59.size()')],
    ['replacing in a growing text', chain(40, '"a"', (x) => `${x}.replace("a", "aa")`, 'x39')],
    ['joining a growing list', chain(60, '["a"]', (x) => `[${x}.join("-"), ${x}.join("-")]`, 'x59')],
    ['comparing shared parts', `${nest('x59')} == ${nest('x59')}`],
    ['marshalling shared parts', chain(60, '["ab"]', (x) => `[${x}, ${x}]`, 'json.marshal(x59)')],
    ['filters in filters', 'lists.range(10000).filter(i, lists.range(10000).exists(j, j < 0))'],
  ])('%s', (_, source) => {
    expect(evaluate(source)).toMatch(/^budget: the expression (makes|takes) more than/);
  });

  test('a limit is not absorbed by logical operators', () => {
    const endless = 'lists.range(100000).all(i, lists.range(100000).all(j, true))';
    expect(evaluate(`${endless} || true`)).toMatch(/^budget: /);
    expect(evaluate(`[1].exists(x, ${endless}) || true`)).toMatch(/^budget: /);
  });

  test('patterns match in linear time', () => {
    expect(evaluate(`"${'a'.repeat(5000)}b".matches("^(a+)+$")`)).toBe(false);
  });
});

test('consecutive indexes are planned once each', () => {
  const types = { x: DYN };
  const count = 200;
  let value: CelValue = 'end';
  for (let level = 0; level < count; level++) value = { a: value };
  expect(evaluate(`x${'["a"]'.repeat(count)}`, { types, values: { x: value } })).toBe('end');
  expect(evaluate(`x${'[?"a"]'.repeat(count)}.orValue("")`, { types, values: { x: value } })).toBe('end');
  expect(evaluate(`x${'[x'.repeat(count)}${']'.repeat(count)}`, { types, values: { x: value } })).toMatch(/^failure: /);
});

describe('a budget of an evaluation', () => {
  const source = 'lists.range(50).map(i, i * i).size()';

  test('counts the same in every run', () => {
    const [first, second] = [createBudget(), createBudget()];
    run(source, first);
    run(source, second);
    expect(first.steps).toBeGreaterThan(50);
    expect([second.steps, second.size]).toEqual([first.steps, first.size]);
  });

  test('applies to each run', () => {
    const budget = createBudget({ maxSteps: 250 });
    for (let count = 0; count < 5; count += 1) expect(() => run(source, budget)).not.toThrow();
    expect(() => run('lists.range(300).all(i, i >= 0)', budget)).toThrow('the expression takes more than 250 steps');
    expect(() => run(source, budget)).not.toThrow();
  });

  test('allows four times as much for all runs together', () => {
    const budget = createBudget({ maxSteps: 250 });
    const all = (): void => {
      for (let count = 0; count < 100; count += 1) run(source, budget);
    };
    expect(all).toThrow('all expressions of the instance take more than 1000 steps');
    expect(isExhausted(budget)).toBe(true);
  });
});

describe('errors have a position', () => {
  test('the innermost node is named', () => {
    const parsed = parse('[1, 0].map(x, 1 / x)');
    if (!parsed.ok) throw new Error('syntax');
    try {
      run(parsed.expression.source, createBudget());
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(EvaluationError);
      expect((error as EvaluationError).nodeId).toBeTypeOf('number');
    }
  });
});

test('a failing constant fails only when it is evaluated', () => {
  expect(evaluate('false ? 1 / 0 : 2')).toBe(2n);
  expect(evaluate('1 / 0')).toBe('failure: division by zero');
});
