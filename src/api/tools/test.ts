import {
  type Coverage,
  type CoverageCollector,
  compareExpected,
  coverageJson,
  coverageLcov,
  coverageText,
  createCollector,
  type ExpectedDiagnostic,
  expectedObjects,
  readExpected,
  renderForTest,
} from '../../authoring/golden/index.ts';
import { Collector, type Diagnostic, hasErrors } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { formatIn, listIn, objectIn, optionsIn, textIn } from '../arguments.ts';
import { readRenderInput } from '../package.ts';
import { fromPlain, toPlain } from '../plain.ts';
import { readSources } from '../sources.ts';
import type { JsonValue, KubernetesObject, RenderInput, RenderOptions, Source } from '../types.ts';
import { type DiffResult, diffValue } from './diff.ts';

/** A golden test: a package, and its expected objects. */
export interface TestInput {
  /** The name in the results. */
  readonly name: string;
  readonly input: RenderInput;
  /**
   * The expected objects, in any order, including the labels and annotations of the renderer. Default: any if
   * `diagnostics` are given, else none.
   */
  readonly objects?: readonly Source[] | undefined;
  /**
   * Every error and warning, in any order, each by some of its fields. Default: no error, and any warnings.
   */
  readonly diagnostics?: readonly ExpectedDiagnostic[] | undefined;
  readonly options?: RenderOptions | undefined;
}

export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  /** The differences from the expected objects; absent if there are none. */
  readonly diff?: Omit<DiffResult, 'diagnostics'>;
  /** Diagnostics that were not expected. */
  readonly unexpected: readonly Diagnostic[];
  /** Expected diagnostics that were not reported. */
  readonly missing: readonly ExpectedDiagnostic[];
  /** The rendered objects; empty after an error. */
  readonly objects: readonly KubernetesObject[];
  /** The diagnostics of the rendering and of the expected objects. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface TestsResult {
  readonly passed: boolean;
  /** In the order of the tests. */
  readonly results: readonly TestResult[];
  /** The coverage of the tests, if requested. `formatCoverage` formats it. */
  readonly coverage?: Coverage;
}

export interface TestOptions {
  /**
   * Collects coverage: nodes, sides of conditions, sizes of collections, arms of expressions. Only for RGDs that are
   * texts, because items are identified by file and line.
   * @default false
   */
  readonly coverage?: boolean | undefined;
}

/**
 * Runs golden tests, as `render-rgd test` does.
 * @throws TypeError as `render` does, and for invalid expectations
 */
export function runTests(tests: readonly TestInput[], options: TestOptions = {}): TestsResult {
  const { coverage = false } = optionsIn(options, ['coverage']);
  listIn(tests, 'tests');
  const collector = coverage ? createCollector() : undefined;
  const results = tests.map((test: TestInput, index) => runTest(test, `tests[${index}]`, collector));
  const passed = results.every((result) => result.passed);
  return collector === undefined ? { passed, results } : { passed, results, coverage: collector.result() };
}

function runTest(test: TestInput, at: string, collector: CoverageCollector | undefined): TestResult {
  objectIn(test, at, 'a name and an input');
  const name = textIn(test.name, `${at}.name`);
  const diagnostics = expectedDiagnostics(test, at);
  const wrong = new Collector();
  const documents = test.objects && readSources(test.objects, 'objects', false, wrong);
  const objects = documents && expectedObjects(documents, wrong);
  const { input, options, reports } = readRenderInput(test.input, test.options ?? {});
  const ran = hasErrors(reports) ? { objects: [], reports: [] } : renderForTest(input, options, collector);
  const reported = toDiagnostics([...reports, ...ran.reports]);
  const expected = { objects: objects ?? (diagnostics === undefined ? [] : undefined), diagnostics };
  const { passed, comparison, unexpected, missing } = compareExpected(expected, ran.objects, reported);
  return {
    name,
    passed: passed && !wrong.hasErrors,
    ...(comparison && { diff: diffValue(comparison) }),
    unexpected,
    missing,
    objects: ran.objects.map(({ object }) => toPlain(object) as unknown as KubernetesObject),
    diagnostics: [...reported, ...toDiagnostics(wrong.all)],
  };
}

function expectedDiagnostics({ diagnostics }: TestInput, at: string): ExpectedDiagnostic[] | undefined {
  if (diagnostics === undefined) return undefined;
  const read = readExpected(fromPlain(diagnostics as unknown as JsonValue, ['diagnostics']) as Value);
  if ('fault' in read) throw new TypeError(`${at}.diagnostics: ${read.fault}`);
  return read;
}

const FORMATS = { text: coverageText, json: coverageJson, lcov: coverageLcov };

/**
 * Formats coverage: as `text`, `json`, or `lcov` for tools that show coverage in sources.
 * @throws TypeError for another format
 */
export function formatCoverage(coverage: Coverage, format: 'text' | 'json' | 'lcov' = 'text'): string {
  return formatIn(FORMATS, format, 'coverage')(coverage);
}
