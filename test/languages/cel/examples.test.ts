/** The examples of docs/cel.md. */
import { describe, expect, test } from 'vitest';
import { check, kroEnvironment, parse } from '../../../src/languages/cel/index.ts';
import { RUNTIME_TYPE, RUNTIME_VARIABLE } from '../../../src/languages/cel/library/kro.ts';
import { macroNames } from '../../../src/languages/cel/macros/index.ts';
import { equalValues } from '../../../src/languages/cel/value/equal.ts';
import { kindOf } from '../../../src/languages/cel/value/values.ts';
import { type Example, examples } from '../../../tools/pages/cel/examples.ts';
import { documentedFunctions } from '../../../tools/pages/cel/functions.ts';
import { macroForms, syntaxForms } from '../../../tools/pages/cel/syntax.ts';
import { evaluate } from './engine.ts';

const functionExamples = Object.entries(examples).flatMap(([library, functions]) =>
  Object.entries(functions).map(([name, example]) => ({ library, name, example })),
);
const all: Example[] = [
  ...functionExamples.map(({ example }) => example),
  ...[...macroForms, ...syntaxForms].map(({ example }) => example),
];

/** Returns the errors of an expression that only a cluster can evaluate. */
function faults(source: string): string[] {
  const parsed = parse(source);
  if (!parsed.ok) return [parsed.issue.message];
  const result = check(kroEnvironment(), parsed.expression, new Map([[RUNTIME_VARIABLE, RUNTIME_TYPE]]));
  return result.ok ? [] : result.issues.map(({ message }) => message);
}

describe('every documented example has the documented result', () => {
  test.each(all)('%s', (source, value) => {
    if (value === undefined) return expect(faults(source)).toEqual([]);
    const [found, wanted] = [evaluate(source), evaluate(value)];
    expect([kindOf(found), found]).toEqual([kindOf(wanted), wanted]);
    return expect(equalValues(found, wanted)).toBe(true);
  });
});

describe('the examples match the functions', () => {
  const key = ({ library, name }: { library: string; name: string }): string => `${library}: ${name}`;

  test('each function has an example, and each example a function', () => {
    expect(functionExamples.map(key).sort()).toEqual(documentedFunctions().map(key).sort());
  });

  test('each example calls its function', () => {
    const silent = functionExamples
      .filter(({ name }) => /^[a-z]/.test(name))
      .filter(({ name, example: [source] }) => !source.includes(`${name}(`));
    expect(silent).toEqual([]);
  });

  test('each macro has a form, and each form a macro', () => {
    expect(macroForms.map(({ macro }) => macro).sort()).toEqual([...macroNames].sort());
  });

  test('functions that only macros expand to are not documented', () => {
    expect(documentedFunctions().filter(({ name }) => /@[^i]/.test(name))).toEqual([]);
  });
});

test('signatures that differ in one type share a line', () => {
  const signaturesOf = (name: string) => documentedFunctions().find((one) => one.name === name)?.signatures;
  expect(signaturesOf('sum')).toEqual(['list(T).sum() -> T (T: double, duration, int, uint)']);
  expect(signaturesOf('charAt')).toEqual(['string.charAt(int) -> string']);
  expect(signaturesOf('_?_:_')).toEqual(['bool ? A : A -> A']);
});
