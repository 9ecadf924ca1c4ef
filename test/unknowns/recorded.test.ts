import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verdictOf } from './compare.ts';
import { type Evaluator, evaluatorOf } from './ours.ts';
import { type RecordedCase, readRecorded } from './recorded.ts';
import { masked, withoutWildcards } from './worlds.ts';

const cases = readRecorded(readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8'));

/** Numbers of a path are integers in a file of answers. */
const plainPaths = (paths: RecordedCase['unknown']): RecordedCase['unknown'] =>
  paths.map((path) => path.map((step) => (typeof step === 'bigint' ? Number(step) : step)));

/** `npm run unknowns -- --count 2000 --seed 1 --record test/unknowns/recorded.jsonl` writes the answers again. */
describe('an expression over data with unknown parts', () => {
  it.each(cases)('has the result of cel-go: $expression', ({ expression, variables, unknown, ...theirs }) => {
    const world = { variables, unknown: plainPaths(unknown) };
    const paths = withoutWildcards(world);
    const here = (evaluatorOf(expression) as Evaluator).partial(masked(variables, paths));
    expect(verdictOf(here, paths, theirs.withWildcards, theirs.without), JSON.stringify(here)).toBeDefined();
  });

  it('is unknown in half of the cases', () => {
    expect(cases.filter(({ without }) => without.unknown !== undefined)).toHaveLength(150);
    expect(cases).toHaveLength(300);
  });
});
