import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rankOf, referencesOf, workspacesBelow } from './masked.ts';
import { askEdits, askPrefixes, randomFrom } from './mutants.ts';

const examples = new URL('../../../examples/', import.meta.url).pathname;
const files = readdirSync(examples, { recursive: true })
  .map(String)
  .filter(
    (name) => /\.yaml$/.test(name) && /ResourceGraphDefinition|ResourceSet/.test(readFileSync(examples + name, 'utf8')),
  )
  .slice(0, 8);

describe.each(files)('the language server while %s is being written', (name) => {
  const text = readFileSync(examples + name, 'utf8').slice(0, 4000);
  it('answers at the end of every prefix', () => askPrefixes(text, 211));
  it('answers after any edit', () => askEdits(text, randomFrom(Number(process.env.SEED ?? 1)), 12));
});

it('offers a reference of the examples among the first three after its first letter', () => {
  const ranks = [...workspacesBelow(examples)].flatMap(([, language]) => {
    const all = referencesOf(language);
    return all.filter((_, index) => index % 5 === 0).map((reference) => rankOf(language, reference, 1));
  });
  expect(ranks.length).toBeGreaterThan(30);
  expect(ranks.filter((rank) => rank >= 0 && rank < 3).length / ranks.length).toBeGreaterThanOrEqual(0.95);
});
