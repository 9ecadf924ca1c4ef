import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/core/diagnostics/diagnostic.ts';
import { Collector, phrase, toReport, trusted } from '../../../src/core/diagnostics/index.ts';
import { clipped, enumerated, shownPath } from '../../../src/core/text/clip.ts';
import { shownReports, toDiagnostics } from '../../../src/yaml/locate/locate.ts';

const report = (message: string, more: Partial<Report> = {}): Report => ({
  code: 'evaluation',
  message: trusted.definition(message),
  path: [],
  ...more,
});
const many = (count: number, more: Partial<Report> = {}): Report[] =>
  Array.from({ length: count }, (_, index) => report(`m${index}`, more));

describe('the printed diagnostics', () => {
  test('are complete up to a thousand', () => {
    const reports = many(1000);
    expect(shownReports(reports)).toBe(reports);
  });

  test('end with the number of omitted ones', () => {
    const shown = shownReports(many(1500));
    expect(shown.length).toBe(1000);
    expect(shown[998]?.message).toBe('m998');
    expect(shown[999]).toMatchObject({ code: 'more-diagnostics', severity: 'error' });
    expect(shown[999]?.message).toBe('not shown: at least 501 errors');
  });

  test('have errors first, and otherwise keep their order', () => {
    const reports = [...many(3, { severity: 'info' }), ...many(990, { severity: 'warning' }), ...many(500)];
    const shown = shownReports(reports);
    expect(shown.filter(({ severity }) => severity === undefined).length).toBe(500);
    expect(shown.filter(({ severity }) => severity === 'warning').length).toBe(499);
    expect(shown.at(-1)).toMatchObject({ message: 'not shown: 491 warnings, 3 infos', severity: 'info' });
    expect(shown[0]?.severity).toBe('warning');
  });

  test('have at most a million characters', () => {
    const shown = shownReports(
      Array.from({ length: 900 }, () => report('x'.repeat(2000), { hint: trusted.definition('y'.repeat(3000)) })),
    );
    expect(shown.length).toBe(201);
    expect(shown.at(-1)?.message).toBe('not shown: at least 700 errors');
  });

  test('have fields of limited length', () => {
    const [diagnostic] = toDiagnostics([report('m', { path: Array.from({ length: 900 }, () => 'field') })]);
    expect(diagnostic?.field).toMatch(/^field\.field.*… \(4399 more characters\)$/);
  });
});

describe('the limit of diagnostics', () => {
  test('is a thousand errors, without warnings', () => {
    const reports = new Collector();
    reports.addAll(many(5000, { severity: 'warning' }));
    expect(reports.limitReached).toBe(false);
    reports.addAll(many(999));
    expect(reports.limitReached).toBe(false);
    reports.add(report('one more'));
    expect(reports.limitReached).toBe(true);
  });
});

describe('long texts', () => {
  test('are truncated with a mark', () => {
    expect(clipped('abc', 3)).toBe('abc');
    expect(clipped('abcd', 3)).toBe('abc… (1 more characters)');
    expect(clipped('ab\u{1f600}d', 3)).toBe('ab… (3 more characters)');
    expect(
      toReport({
        code: 'instance-value',
        path: [],
        message: phrase`${'x'.repeat(5000)}`,
        hint: phrase`${'y'.repeat(9000)}`,
      }),
    ).toMatchObject({
      message: `${'x'.repeat(2000)}… (3000 more characters)`,
      hint: `${'y'.repeat(4000)}… (5000 more characters)`,
    });
  });

  test('show the first of many names, and both ends of a long path', () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    expect(enumerated(names, 3)).toBe('n0, n1, n2 and 47 more');
    expect(enumerated(['a', 'b'])).toBe('a, b');
    expect(shownPath(['a', 'b', 'a'])).toBe('a -> b -> a');
    expect(shownPath(names, 4)).toBe('n0 -> n1 -> ... (46 more) -> n48 -> n49');
  });
});
