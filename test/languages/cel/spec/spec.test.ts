/** The conformance suite of the CEL specification (https://github.com/google/cel-spec/tree/master/tests). */
import { describe, expect, test } from 'vitest';
import { knownGaps } from './known-gaps.ts';
import { skippedSections } from './skipped.ts';
import { specTests } from './suite.ts';
import { specFigure, specVerdicts } from './verdicts.ts';

const all = specTests();
const verdicts = specVerdicts();
const sections = [...new Set([...verdicts.keys()].map((key) => key.slice(0, key.lastIndexOf('/'))))];

describe('the CEL specification', () => {
  test.each(sections)('%s', (section) => {
    const failed = [...verdicts]
      .filter(([key, found]) => key.startsWith(`${section}/`) && found !== undefined && found !== 'skipped')
      .filter(([key]) => !knownGaps.has(key))
      .map(([key, found]) => `${key}: ${all.get(key)?.expr} ${found}`);
    expect(failed).toEqual([]);
  });

  test('no known gap passes', () => {
    const closed = [...knownGaps.keys()].filter((key) => !verdicts.has(key) || verdicts.get(key) === undefined);
    expect(closed).toEqual([]);
  });

  test('every skipped section exists', () => {
    const missing = skippedSections.filter(([prefix]) => ![...all.keys()].some((key) => key.startsWith(prefix)));
    expect(missing).toEqual([]);
  });

  test('at least 97 percent of the applicable tests pass', () => {
    const { applicable, passed } = specFigure(verdicts);
    expect(applicable).toBeGreaterThan(1400);
    expect(passed / applicable).toBeGreaterThan(0.97);
  });
});
