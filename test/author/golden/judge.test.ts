import { describe, expect, it } from 'vitest';
import { compareExpected, expectationOf, readExpected } from '../../../src/author/golden/index.ts';
import { reviewAlone } from '../../../src/compare/review/index.ts';
import type { Diagnostic } from '../../../src/core/diagnostics/index.ts';

const object = (name: string, value = 'x') =>
  reviewAlone({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
const error: Diagnostic = {
  severity: 'error',
  code: 'evaluation',
  stage: 'expand',
  object: 'Site/blog',
  node: 'web',
  line: 3,
  message: 'failed',
};
const warning: Diagnostic = { ...error, severity: 'warning', code: 'unknown-kind' };

describe('the judgement of a golden test', () => {
  it('accepts objects in any order', () => {
    const expected = { objects: [object('a'), object('b')], diagnostics: undefined };
    expect(compareExpected(expected, [object('b'), object('a')], [])).toMatchObject({
      passed: true,
      comparison: undefined,
    });
  });

  it('reports differences', () => {
    const expected = { objects: [object('a'), object('b')], diagnostics: undefined };
    const { passed, comparison } = compareExpected(expected, [object('a', 'y'), object('c')], []);
    expect(passed).toBe(false);
    expect(comparison?.counts).toMatchObject({ added: 1, removed: 1, changed: 1 });
  });

  it('rejects errors and accepts warnings if no diagnostics are expected', () => {
    const expected = { objects: [], diagnostics: undefined };
    expect(compareExpected(expected, [], [warning])).toMatchObject({ passed: true });
    expect(compareExpected(expected, [], [error, warning])).toMatchObject({ passed: false, unexpected: [error] });
  });

  it('requires every error and warning if diagnostics are expected', () => {
    const expected = (...diagnostics: object[]) => ({ objects: undefined, diagnostics: diagnostics as never });
    expect(compareExpected(expected({ code: 'evaluation' }), [], [error])).toMatchObject({ passed: true });
    expect(compareExpected(expected({ code: 'evaluation', line: 4 }), [], [error])).toMatchObject({
      passed: false,
      unexpected: [error],
      missing: [{ code: 'evaluation', line: 4 }],
    });
    expect(compareExpected(expected({ code: 'evaluation' }), [], [error, warning])).toMatchObject({
      unexpected: [warning],
    });
    expect(compareExpected(expected(), [], [{ ...error, severity: 'info' }])).toMatchObject({ passed: true });
  });

  it('matches the most specific expectation first', () => {
    const other = { ...error, node: 'other' };
    const diagnostics = [{ code: 'evaluation' }, { code: 'evaluation', node: 'web' }];
    expect(compareExpected({ objects: undefined, diagnostics }, [], [error, other])).toMatchObject({ passed: true });
  });
});

describe('expected diagnostics', () => {
  it('are written without parts that depend on the wording of a message', () => {
    expect(expectationOf(error)).toEqual({ severity: 'error', code: 'evaluation', object: 'Site/blog', node: 'web' });
  });

  it('may name a line', () => {
    expect(readExpected([{ code: 'evaluation', line: 3n }])).toEqual([{ code: 'evaluation', line: 3 }]);
  });

  it.each([
    [[], []],
    [{}, { fault: 'it must hold a list of diagnostics' }],
    [['x'], { fault: 'item 0 must be a map, such as {code: instance-type}' }],
    [[{ kode: 'x' }], { fault: expect.stringContaining("item 0 has the field 'kode'; the fields are severity, code") }],
    [[{ code: true }], { fault: 'item 0 has a value that is neither a text nor a number' }],
  ])('are read from %j', (value, expected) => expect(readExpected(value as never)).toEqual(expected));
});
