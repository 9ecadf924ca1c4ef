import { expect, it } from 'vitest';
import { rankOf, referencesOf, workspacesBelow } from './masked.ts';

const examples = new URL('../../examples/', import.meta.url).pathname;
it('offers a reference of the examples among the first three after its first letter', () => {
  const ranks = [...workspacesBelow(examples)].flatMap(([, language]) => {
    const all = referencesOf(language);
    return all.filter((_, index) => index % 5 === 0).map((reference) => rankOf(language, reference, 1));
  });
  expect(ranks.length).toBeGreaterThan(30);
  expect(ranks.filter((rank) => rank >= 0 && rank < 3).length / ranks.length).toBeGreaterThanOrEqual(0.95);
});
