import { describe, expect, it } from 'vitest';
import { measure } from '../../tools/lint/measures.mjs';
import { faultsIn } from '../../tools/lint/plain.mjs';

const faultsOf = (text: string): string[] => faultsIn([{ path: 'a.ts', text }]);
const counted = (text: string, metric: string): number =>
  measure([{ path: 'a.ts', text }]).found[metric]?.length ?? Number.NaN;

/** Returns a text with a block in a block, this many deep. */
const nested = (depth: number): string => `function f() { ${'if (a) { '.repeat(depth)}${'}'.repeat(depth)} }\n`;

describe('the lint of plain code rejects', () => {
  it.each([
    ['an exported function without a return type', 'export function f() {}\n'],
    ['an exported arrow function without a return type', 'export const f = () => 1;\n'],
    ['a public method without a return type', 'export class C {\n  f() {}\n}\n'],
    ['a type that is inferred from a function', 'export type T = ReturnType<typeof f>;\n'],
    ['a parameter that is inferred from a function', 'export function f(a: ReturnType<typeof g>): void {}\n'],
    ['an object in an object', 'const a = { ...{ b: 1, c: 2 } };\n'],
    ['a list in a list', "const a = [...['b', 'c']];\n"],
    ['a list that is split from a text', "const a = 'b c'.split(' ');\n"],
  ])('%s', (_, text) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^a\.ts:\d+ [A-Z]/)]);
  });

  it.each([
    ['functions that state what they return', 'export function f(): void {}\nexport const g = (): number => 1;\n'],
    ['a constant whose type is stated', 'export const f: () => number = () => 1;\n'],
    ['private and unexported functions', 'function f() {}\nexport class C {\n  #g() {}\n  private h() {}\n}\n'],
    ['entries of another value', 'const a = { ...b, c: 1 };\nconst d = [...e, 1];\n'],
    ['the result of an unexported function', 'type T = ReturnType<typeof f>;\n'],
  ])('but not %s', (_, text) => expect(faultsOf(text)).toEqual([]));

  it('but not what the line above gives a reason for', () => {
    expect(faultsOf('// plain: it is overloaded\nexport function f() {}\n')).toEqual([]);
    expect(faultsOf('// plain:\nexport function f() {}\n')).toHaveLength(1);
  });
});

describe('a metric counts', () => {
  it('functions by their lines', () => {
    expect(counted(`function f() {\n${'a();\n'.repeat(58)}}\n`, 'long-functions')).toBe(0);
    expect(counted(`function f() {\n${'a();\n'.repeat(59)}}\n`, 'long-functions')).toBe(1);
  });

  it('functions by their decisions, without those of the functions in them', () => {
    expect(counted(`function f() { ${'a && b; '.repeat(14)} }\n`, 'complexity-15')).toBe(0);
    expect(counted(`function f() { ${'a && b; '.repeat(15)} }\n`, 'complexity-15')).toBe(1);
    expect(
      counted(`function f() { ${'a && b; '.repeat(8)} return () => { ${'a && b; '.repeat(8)} } }\n`, 'complexity-15'),
    ).toBe(0);
  });

  it('functions by the depth of their statements, in which an else if is not deeper', () => {
    expect(counted(nested(3), 'nested-4')).toBe(0);
    expect(counted(nested(4), 'nested-4')).toBe(1);
    expect(counted('function f() { if (a) {} else if (b) {} else if (c) {} else if (d) {} }\n', 'nested-4')).toBe(0);
  });

  it('tuples that are taken apart at once, and not those of a function', () => {
    expect(counted('const [a, b] = [1, 2];\n', 'tuple-assignments')).toBe(1);
    expect(counted('const [a, b] = f();\n', 'tuple-assignments')).toBe(0);
  });

  it('spreads that depend on a condition', () => {
    expect(counted('const a = { ...(b && { b }), ...(c ? { c } : {}), ...d };\n', 'conditional-spreads')).toBe(2);
  });

  it('lines with code, and lines with nothing but a comment', () => {
    const text = '/** One. */\nconst a = 1; // two\n\n// three\nconst b = `\n// text\n`;\n';
    expect(measure([{ path: 'a.ts', text }])).toMatchObject({ lines: 7, codeLines: 4, commentLines: 2 });
  });
});
