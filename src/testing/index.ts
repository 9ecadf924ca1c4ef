/** Golden tests of RGDs, and what they reach. */

export { type Coverage, type CoverageCollector, type CoverageItem, createCollector, type Measure } from './coverage.ts';
export { coverageJson, coverageLcov, coverageText } from './coverage-reports.ts';
export { type Expected, type ExpectedDiagnostic, expectationOf, judge, readExpected, type Verdict } from './judge.ts';
export { expectedObjects, type Ran, renderForTest } from './run.ts';
export { type Total, totalsOf } from './totals.ts';
