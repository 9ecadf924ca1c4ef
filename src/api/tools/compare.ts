import {
  compareExpected,
  type ExpectedDiagnostic,
  expectedObjects,
  readExpected,
  renderForTest,
} from '../../author/golden/index.ts';
import {
  type ChangeWarning,
  type Comparison,
  comparisonMarkdown,
  comparisonText,
  diffPackages,
  type FieldChange,
  type Gaps,
  KIND_PATTERN,
  NO_GAPS,
  type ObjectChange,
  sideValue,
} from '../../compare/diff/index.ts';
import type { Reviewed } from '../../compare/review/index.ts';
import {
  Collector,
  type Diagnostic,
  hasErrors,
  joinReports,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import {
  type Coverage,
  type CoverageCollector,
  coverageJson,
  coverageLcov,
  coverageText,
  createCollector,
} from '../../describe/coverage/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { formatIn, listIn, objectIn, optionsIn, textIn } from '../arguments.ts';
import { readRenderInput, readVersions, type VersionsInput } from '../package.ts';
import { fromPlain, toPlain } from '../plain.ts';
import { readSources } from '../sources.ts';
import type { JsonValue, KubernetesObject, RenderInput, RenderOptions, Source } from '../types.ts';

/** One version of a changed object. */
export interface DiffSide {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** '' for none. Absent, like `name`, if it may be a value of a Secret: then `hidden` is true. */
  readonly namespace?: string;
  readonly name?: string;
  readonly hidden?: boolean;
  /** The node and the instance that render it: `Kind/name`, its namespace, the id. Absent for plain objects. */
  readonly instance?: string;
  readonly instanceNamespace?: string;
  readonly node?: string;
  /** The object; values of Secrets are replaced by texts that only show whether they differ. */
  readonly object: JsonValue;
}

/** A changed field; without `before` it is added, without `after` it is removed. */
export interface FieldDiff {
  /**
   * The path, with items of lists by their merge keys, or else by their index:
   * `spec.containers[web].env[DB_URL].value`.
   */
  readonly path: string;
  /** The items are the same in another order; `before` and `after` contain their keys. */
  readonly order?: true;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** A changed object. */
export interface ObjectDiff {
  /** `replaced`: its node renders another identity, so that one object is deleted and the other created. */
  readonly change: 'added' | 'removed' | 'changed' | 'replaced';
  /** Absent for an added object. */
  readonly before?: DiffSide;
  /** Absent for a removed object. */
  readonly after?: DiffSide;
  /** The deepest fields that differ, for `changed` and `replaced`. */
  readonly fields: readonly FieldDiff[];
}

export interface DiffResult {
  /** Sorted by namespace, kind and name. What has an error is not compared, and the rest is. */
  readonly changes: readonly ObjectDiff[];
  /** Warnings to review before the change is applied. */
  readonly warnings: readonly ChangeWarning[];
  readonly counts: Readonly<Record<ObjectChange['change'] | 'unchanged', number>>;
  /** The titles of changed objects that nothing renders, which are not compared: `Kind namespace/name`. */
  readonly uncompared: readonly string[];
  /** The values that only a cluster has: they are compared by their expressions. */
  readonly pending: readonly string[];
  /** The titles of objects with an error, which are not compared. */
  readonly failed: readonly string[];
  /** The diagnostics of both versions; a warning of both is listed once. */
  readonly diagnostics: Diagnostic[];
}

export interface DiffOptions extends RenderOptions {
  /**
   * Kinds whose objects lose data when they are deleted, besides the known ones: `Kind.group`, with `*` for any part.
   * Default: [].
   */
  readonly holdsData?: readonly string[] | undefined;
}

/** @throws TypeError for values that are not a list of kinds */
function kindsIn(given: readonly string[]): readonly string[] {
  const wrong = listIn(given, 'holdsData').find((one) => typeof one !== 'string' || !KIND_PATTERN.test(one));
  if (wrong !== undefined)
    throw new TypeError(`holdsData: ${String(wrong)} is not Kind.group, with * for any part of it`);
  return given;
}

const NO_CHANGE: Comparison = {
  changes: [],
  warnings: [],
  counts: { added: 0, removed: 0, changed: 0, replaced: 0, unchanged: 0 },
  gaps: NO_GAPS,
};

/**
 * Renders two versions of a package, and returns the differences of their objects. Objects are matched by group, kind,
 * namespace and name.
 * @throws TypeError as `render` does
 */
export function diff(input: VersionsInput, given: DiffOptions = {}): DiffResult {
  const { holdsData = [], ...options } = objectIn(given, 'options');
  const kinds = kindsIn(holdsData);
  const { before, after, options: checked, reports } = readVersions(input, options);
  const compared = reports.hasErrors
    ? { comparison: NO_CHANGE, reports: [] }
    : diffPackages(before, after, { ...checked, holdsData: kinds });
  const all = joinReports([reports.all, compared.reports], 'versions');
  return { ...diffValue(compared.comparison), diagnostics: toDiagnostics(all) };
}

/** Returns a comparison as plain values. */
const diffValue = ({ changes, warnings, counts, gaps }: Comparison): Omit<DiffResult, 'diagnostics'> => ({
  changes: changes.map(plainChange),
  warnings,
  counts,
  uncompared: gaps.uncompared,
  pending: gaps.pending,
  failed: gaps.failed,
});

function plainChange({ change, before, after, shown, fields }: ObjectChange): ObjectDiff {
  return {
    change,
    ...(before !== undefined && { before: sideOf(before, shown.before) }),
    ...(after !== undefined && { after: sideOf(after, shown.after) }),
    fields: toPlain(fields) as unknown as FieldDiff[],
  };
}

const sideOf = (one: Reviewed, shown: Value | undefined): DiffSide =>
  toPlain({ ...sideValue(one), object: shown ?? null }) as unknown as DiffSide;

/**
 * Formats the result of `diff` as `render-rgd diff` prints it: as `text`, or as `markdown` for a comment of a pull
 * request, which is below 60,000 characters.
 * @throws TypeError for another format
 */
export function formatDiff(
  result: Pick<DiffResult, 'changes' | 'warnings' | 'counts'> &
    Partial<Pick<DiffResult, 'uncompared' | 'pending' | 'failed'>>,
  format: 'text' | 'markdown' = 'text',
): string {
  const given = objectIn(result, 'the result', 'changes, warnings and counts');
  const { changes, warnings, counts, uncompared = [], pending = [], failed = [] } = given;
  listIn(changes, 'changes');
  listIn(warnings, 'warnings');
  objectIn(counts, 'counts');
  const titlesIn = (titles: readonly string[], name: string): Text[] => listIn(titles, name).map(trusted.definition);
  const gaps: Gaps = {
    ...NO_GAPS,
    uncompared: titlesIn(uncompared, 'uncompared'),
    pending: titlesIn(pending, 'pending'),
    failed: titlesIn(failed, 'failed'),
  };
  const formatted = formatIn(DIFF_FORMATS, format, 'diff');
  return formatted({
    changes: changes.map(changeOf),
    warnings,
    counts,
    gaps,
  });
}

const DIFF_FORMATS = { text: comparisonText, markdown: comparisonMarkdown };

/** Returns the printed form of a change; the origin of an object is known by its description. */
function changeOf({ change, before, after, fields }: ObjectDiff): ObjectChange {
  const shown = {
    ...(before !== undefined && { before: fromPlain(before.object) }),
    ...(after !== undefined && { after: fromPlain(after.object) }),
  };
  return {
    change,
    ...(before !== undefined && { before: reviewedOf(before) }),
    ...(after !== undefined && { after: reviewedOf(after) }),
    shown,
    fields: fromPlain(fields as unknown as JsonValue) as unknown as FieldChange[],
  };
}

function reviewedOf(side: DiffSide): Reviewed {
  const { group, version, kind, namespace = '', name = '', hidden = false, instance, instanceNamespace, node } = side;
  const metadata: ValueMap = namespace === '' ? { name } : { name, namespace };
  const object: KubeObject = { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata };
  const place = instance && {
    instance: trusted.redacted(instance),
    namespace: trusted.redacted(instanceNamespace ?? ''),
    node: trusted.definition(node ?? ''),
    key: '',
  };
  return { object, secrecy: false, nameless: hidden, named: [], ...(place && { place }) };
}

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
   * texts, because items are identified by file and line. Default: false.
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

const COVERAGE_FORMATS = { text: coverageText, json: coverageJson, lcov: coverageLcov };

/**
 * Formats coverage: as `text`, `json`, or `lcov` for tools that show coverage in sources.
 * @throws TypeError for another format
 */
export function formatCoverage(coverage: Coverage, format: 'text' | 'json' | 'lcov' = 'text'): string {
  return formatIn(COVERAGE_FORMATS, format, 'coverage')(coverage);
}
