import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';

/** One test of the specification's suite (cel.expr.conformance.test.SimpleTest as JSON). */
export interface SpecTest {
  name: string;
  expr: string;
  disableCheck?: boolean;
  disableMacros?: boolean;
  checkOnly?: boolean;
  container?: string;
  typeEnv?: SpecDeclaration[];
  bindings?: Record<string, { value: SpecValue }>;
  value?: SpecValue;
  evalError?: object;
  anyEvalErrors?: object;
  unknown?: object;
  typedResult?: { result?: SpecValue; deducedType?: SpecType };
}

export interface SpecDeclaration {
  name: string;
  ident?: { type: SpecType };
  function?: {
    overloads: { params?: SpecType[]; resultType: SpecType; isInstanceFunction?: boolean }[];
  };
}

export type SpecValue = Record<string, unknown>;
export type SpecType = Record<string, unknown>;

/** All tests, keyed `file/section/test`. */
export function specTests(): Map<string, SpecTest> {
  const found = new Map<string, SpecTest>();
  const walk = (suite: SerializedIncrementalTestSuite, path: string): void => {
    for (const inner of suite.suites ?? []) walk(inner, path === '' ? inner.name : `${path}/${inner.name}`);
    for (const { original } of suite.tests ?? []) {
      const test = original as unknown as SpecTest;
      let key = `${path}/${test.name}`;
      for (let copy = 2; found.has(key); copy++) key = `${path}/${test.name}#${copy}`;
      found.set(key, test);
    }
  };
  walk(tests, '');
  return found;
}
