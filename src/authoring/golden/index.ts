/** Golden tests of RGDs, and their coverage. */

export { type Coverage, type CoverageCollector, type CoverageItem, createCollector, type Measure } from './coverage.ts';
export { coverageJson, coverageLcov, coverageText } from './coverage-reports.ts';
export {
  compareExpected,
  type ExpectedDiagnostic,
  expectationOf,
  readExpected,
  type Verdict,
} from './judge.ts';
export { readPartial } from './partial.ts';
export { rewriteExpected } from './rewrite.ts';
export { expectedInputs, expectedObjects, type Ran, renderForTest } from './run.ts';
export { percentOf } from './totals.ts';
