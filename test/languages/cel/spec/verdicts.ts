import type { SpecFigure } from '../../../../tools/pages/cel.ts';
import { NeedsMessages } from './decode.ts';
import { knownGaps } from './known-gaps.ts';
import { failureOf } from './run.ts';
import { skipReason } from './skipped.ts';
import { type SpecTest, specTests } from './suite.ts';

/** Returns the error of each test that is not skipped, `undefined` if it passes. */
export function specVerdicts(): Map<string, string | undefined> {
  const verdicts = new Map<string, string | undefined>();
  for (const [key, spec] of specTests()) {
    if (skipReason(key, spec) === undefined) verdicts.set(key, verdict(spec));
  }
  return verdicts;
}

function verdict(spec: SpecTest): string | undefined {
  try {
    return failureOf(spec);
  } catch (error) {
    if (error instanceof NeedsMessages) return 'skipped';
    throw error;
  }
}

export function specFigure(verdicts = specVerdicts()): SpecFigure {
  const applicable = [...verdicts].filter(([, found]) => found !== 'skipped');
  const failing = applicable.filter(([, found]) => found !== undefined);
  return {
    total: specTests().size,
    applicable: applicable.length,
    passed: applicable.length - failing.length,
    gaps: failing.map(([test, found]) => [test, knownGaps.get(test) ?? `${found}`] as const),
  };
}
