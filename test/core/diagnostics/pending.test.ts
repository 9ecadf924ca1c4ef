import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/diagnostics/diagnostic.ts';
import { pendingLast, trusted } from '../../../src/core/diagnostics/index.ts';

const report = (code: Report['code'], message: string, severity: Report['severity'] = 'error'): Report => ({
  code,
  message: trusted.definition(message),
  path: [],
  severity,
});
const told = (...reports: Report[]): string =>
  pendingLast(reports)
    .map(({ message }) => message)
    .join('');

describe('pending errors', () => {
  const wait = report('pending-value', 'w');
  const reference = report('pending-reference', 'r');
  it('are printed after all others', () => {
    expect(told(wait, report('evaluation', 'a'), reference, report('object-name', 'b'))).toBe('abwr');
    expect(told(wait, report('unknown-kind', 'u', 'warning'), report('evaluation', 'a'))).toBe('uaw');
  });

  it('keep their position if there are no others, or if they are not errors', () => {
    expect(told(reference, report('unknown-kind', 'u', 'warning'), wait)).toBe('ruw');
    expect(told(report('pending-value', 'w', 'warning'), report('evaluation', 'a'))).toBe('wa');
  });
});
