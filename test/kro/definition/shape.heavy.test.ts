import { expect, it } from 'vitest';
import { shapeProblems } from '../../../src/kro/definition/shape.ts';

it('the shape check reports any number of errors', () => {
  const items = Array.from({ length: 150_000 }, () => ({ wrong: 1n }));
  const problems = shapeProblems({ items }, { properties: { items: { items: { properties: { right: {} } } } } });
  expect(problems).toHaveLength(items.length);
  expect(problems.at(-1)).toMatchObject({ code: 'rgd-unknown-field', path: ['items', 149_999, 'wrong'] });
});
