import { expect } from 'vitest';
import { format, Message, type Problem, toReport } from '../src/core/diagnostics/index.ts';

/** Problems with their texts, as they are reported. */
export const asReports = <P extends Problem>(problems: readonly P[]) =>
  problems.map((problem) => ({ ...problem, ...toReport(problem) }));

// A message equals its text, so that tests compare problems with strings.
expect.addEqualityTesters([
  (one: unknown, other: unknown): boolean | undefined => {
    if (one instanceof Message && typeof other === 'string') return format(one) === other;
    if (other instanceof Message && typeof one === 'string') return format(other) === one;
    return undefined;
  },
]);
