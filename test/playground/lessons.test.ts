import { describe, expect, it } from 'vitest';
import { celAnswer, celFunctions } from '../../playground/engine/cel.ts';
import { filledIn, pendingRows } from '../../playground/engine/fill-in.ts';
import { renderPackage } from '../../playground/engine/render.ts';
import { templateFunctions } from '../../playground/engine/template.ts';
import { FAILING } from '../../playground/engine/template-examples.ts';
import { type Lesson, lessons, missingFrom } from '../../playground/lessons/index.ts';
import { standardNames } from '../../src/languages/gotemplate/index.ts';

const checked = ({ files, ...lesson }: Lesson, given = files): string[] =>
  missingFrom({ files, ...lesson }, renderPackage({ files: given, options: lesson.options ?? {} }));

describe('the lessons of the playground', () => {
  it('have ids of their own', () => expect(new Set(lessons.map(({ id }) => id)).size).toBe(13));

  it.each(lessons.map((lesson) => ({ lesson, title: lesson.title })))(
    '$title: is not solved at the start, and accepts its solution',
    ({ lesson }) => {
      expect(checked(lesson)).not.toEqual([]);
      const [first, ...rest] = lesson.files;
      const solved = { ...first, text: lesson.solution } as (typeof lesson.files)[0];
      expect(checked(lesson, [solved, ...rest, ...(lesson.added === undefined ? [] : [lesson.added])])).toEqual([]);
    },
  );

  it('accept a filled-in value as the answer about pending values', () => {
    const lesson = lessons.find(({ id }) => id === 'pending') as Lesson;
    const pack = { files: lesson.files, options: {} };
    expect(pendingRows(pack).values).toHaveLength(1);
    const observed = filledIn(pack, 0, '203.0.113.7');
    expect(checked(lesson, [...lesson.files, observed])).toEqual([]);
    // A second value of the same object is merged into the first.
    const again = filledIn(
      { files: [...lesson.files, { ...observed, text: observed.text.replace('ip: ', 'hostname: ') }], options: {} },
      0,
      '203.0.113.7',
    );
    expect(again.text.match(/kind: Service/g)).toHaveLength(1);
  });
});

describe('the CEL tab of the playground', () => {
  it('has an example with a result for every function', () => {
    const without = celFunctions().filter(({ example }) => example === '');
    expect(without).toEqual([]);
    const failed = celFunctions().filter(
      ({ example, dialect }) => celAnswer({ expression: example, variables: '', dialect }).faults.length > 0,
    );
    expect(failed.map(({ name, result }) => `${name}: ${result}`)).toEqual([]);
  });

  it('shows type, value and cost', () => {
    const answer = celAnswer({ expression: 'a.map(x, x + b)', variables: 'a: [1, 2]\nb: 3', dialect: 'kro' });
    expect(answer).toMatchObject({ type: 'list(dyn)', value: '[\n  4,\n  5\n]', faults: [] });
    expect(answer.cost?.steps).toBeGreaterThan(0);
  });

  it.each([
    ['1 +', '', 'syntax'],
    ['a', '', 'type'],
    ['{}.b', '', 'missing'],
    ['1', '- a', 'variables'],
    ['1', 'a: [', 'variables'],
  ])('reports the error of %s', (expression, variables, reason) => {
    expect(celAnswer({ expression, variables, dialect: 'kro' }).faults).toMatchObject([{ reason }]);
  });
});

describe('the functions of templates in the playground', () => {
  const functions = templateFunctions();

  it('are complete, with mustX listed as X', () => {
    const names = functions.map(({ name }) => name);
    const isListed = (name: string): boolean =>
      names.includes(name) || names.includes(name.replace(/^must(.)/, (_, first: string) => first.toLowerCase()));
    expect(standardNames().filter((name) => !isListed(name))).toEqual([]);
  });

  it('have examples that render together, except for failing ones', () => {
    const results = new Map(functions.map(({ name, result }) => [name, result]));
    expect(results.get('slugify')).toBe('data-platform');
    expect(results.get('fail')).toContain('replicas must be odd');
    expect(FAILING.map((name) => results.get(name) ?? '').filter((result) => result === '')).toEqual([]);
  });
});
