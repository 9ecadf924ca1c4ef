import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/diagnostics/diagnostic.ts';
import { composeText, condense, trusted } from '../../../src/core/diagnostics/index.ts';

const report = (alike: string | undefined, more: Partial<Report> = {}): Report => ({
  code: 'unknown-kind',
  message: composeText`m`,
  path: [],
  severity: 'warning',
  ...(alike === undefined ? {} : { alike }),
  ...more,
});
const told = (...reports: Report[]): string[] => condense(reports).map(({ message }) => message);

describe('diagnostics with the same content', () => {
  it('are folded into the first one, with the count', () => {
    const [one, other] = [report('a', { message: composeText`first` }), report('b', { message: composeText`other` })];
    expect(told(one, other, report('a'), report('a'))).toEqual(['first (3 times)', 'other']);
  });

  it('are folded only if code and severity are equal', () => {
    expect(told(report('a'), report('a', { code: 'owner-reference' }), report('a', { severity: 'info' }))).toHaveLength(
      3,
    );
  });

  it('are not folded if they are errors, or have no key', () => {
    expect(told(report('a', { severity: 'error' }), report('a', { severity: 'error' }))).toEqual(['m', 'm']);
    expect(told(report(undefined), report(undefined))).toEqual(['m', 'm']);
  });

  it('are one line after all others in a listing, with all items in its hint', () => {
    const listed = (subject: string, more: Partial<Report> = {}): Report =>
      report(subject, {
        listed: {
          subject: trusted.definition(subject),
          message: composeText`unknown`,
          hint: composeText`get ITEMS now`,
          item: subject.toLowerCase(),
        },
        ...more,
      });
    const kinds = [listed('A'), listed('B'), listed('A'), report(undefined)];
    expect(told(...kinds)).toEqual(['m', 'unknown: A, B']);
    expect(condense(kinds).at(-1)?.hint).toBe('get a b now');
    expect(told(listed('A'), listed('A'), report(undefined))).toEqual(['m', 'm (2 times)']);
    expect(told(listed('A', { severity: 'error' }), listed('B', { severity: 'error' }))).toEqual(['m', 'm']);
    const many = Array.from({ length: 30 }, (_, index) => listed(`K${index}`));
    expect(told(...many)[0]).toMatch(/K19, 10 more$/);
    expect(condense(many)[0]?.hint).toBe('get now');
  });
});
