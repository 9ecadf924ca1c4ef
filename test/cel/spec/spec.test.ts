/** The conformance suite of the CEL specification (https://github.com/google/cel-spec/tree/master/tests). */
import { describe, expect, test } from 'vitest';
import { NeedsMessages } from './decode.ts';
import { knownGaps } from './known-gaps.ts';
import { failureOf } from './run.ts';
import { skippedSections, skipReason } from './skipped.ts';
import { type SpecTest, specTests } from './suite.ts';

const all = specTests();

function verdict(spec: SpecTest): string | undefined {
  try {
    return failureOf(spec);
  } catch (error) {
    if (error instanceof NeedsMessages) return 'skipped';
    throw error;
  }
}

const verdicts = new Map<string, string | undefined>();
for (const [key, spec] of all) {
  if (skipReason(key, spec) === undefined) verdicts.set(key, verdict(spec));
}
const sections = [...new Set([...verdicts.keys()].map((key) => key.slice(0, key.lastIndexOf('/'))))];

describe('the CEL specification', () => {
  test.each(sections)('%s', (section) => {
    const failed = [...verdicts]
      .filter(([key, found]) => key.startsWith(`${section}/`) && found !== undefined && found !== 'skipped')
      .filter(([key]) => !knownGaps.has(key))
      .map(([key, found]) => `${key}: ${all.get(key)?.expr} ${found}`);
    expect(failed).toEqual([]);
  });

  test('no known gap has closed', () => {
    const closed = [...knownGaps.keys()].filter((key) => !verdicts.has(key) || verdicts.get(key) === undefined);
    expect(closed).toEqual([]);
  });

  test('every skipped section exists', () => {
    const missing = skippedSections.filter(([prefix]) => ![...all.keys()].some((key) => key.startsWith(prefix)));
    expect(missing).toEqual([]);
  });

  test('at least 97 percent of what applies is right', () => {
    const applicable = [...verdicts.values()].filter((found) => found !== 'skipped');
    const right = applicable.filter((found) => found === undefined).length;
    expect(applicable.length).toBeGreaterThan(1400);
    expect(right / applicable.length).toBeGreaterThan(0.97);
  });
});
