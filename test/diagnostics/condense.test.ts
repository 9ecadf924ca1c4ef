import { describe, expect, it } from 'vitest';
import { condense } from '../../src/diagnostics/condense.ts';
import type { Report } from '../../src/diagnostics/diagnostic.ts';

const report = (alike: string | undefined, more: Partial<Report> = {}): Report => ({
  code: 'unknown-kind',
  message: 'm',
  path: [],
  severity: 'warning',
  ...(alike === undefined ? {} : { alike }),
  ...more,
});
const told = (...reports: Report[]): string[] => condense(reports).map(({ message }) => message);

describe('reports that say one thing', () => {
  it('are told once, at their first place, with the count', () => {
    const [one, other] = [report('a', { message: 'first' }), report('b', { message: 'other' })];
    expect(told(one, other, report('a'), report('a'))).toEqual(['first (3 times)', 'other']);
  });

  it('are of one code and one severity', () => {
    expect(told(report('a'), report('a', { code: 'owner-reference' }), report('a', { severity: 'info' }))).toHaveLength(
      3,
    );
  });

  it('stay when they are errors, or say nothing of being alike', () => {
    expect(told(report('a', { severity: 'error' }), report('a', { severity: 'error' }))).toEqual(['m', 'm']);
    expect(told(report(undefined), report(undefined))).toEqual(['m', 'm']);
  });
});
