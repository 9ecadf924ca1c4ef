import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expectationOf, rewriteExpected } from '../../author/golden/index.ts';
import { UNSEEN } from '../../check/reports/index.ts';
import { comparisonText } from '../../compare/diff/index.ts';
import {
  Collector,
  type Diagnostic,
  hasErrors,
  phrase,
  type Report,
  reporterFor,
  told,
  trusted,
  unplaced,
} from '../../core/diagnostics/index.ts';
import {
  type Entry,
  type Evidence,
  entriesOf,
  type FailsOn,
  judge,
  leftOut,
  NO_EVIDENCE,
} from '../../core/ledger/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { identityOf } from '../../core/model/object.ts';
import { ownValue } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import {
  type Coverage,
  coverageJson,
  coverageLcov,
  coverageText,
  createCollector,
  percentOf,
} from '../../describe/coverage/index.ts';
import { pathsBeside } from '../../describe/input/index.ts';
import { choice, flag, integer, list } from '../../render/options/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import { formatDiagnostics, toDiagnostics } from '../../yaml/locate/index.ts';
import { defineCommand, type Invocation, plainReporting } from '../command.ts';
import { isInside, readRegularText } from '../file-system.ts';
import { accountFor, ledgerOptions } from '../ledger.ts';
import {
  concludeReport,
  exitCode,
  fail,
  type Paint,
  painter,
  printedFormat,
  printReports,
  reportedAs,
} from '../output.ts';
import { watch } from '../watch.ts';
import { type Change, INSIDE, isUsed, replaceFiles, writeText } from '../write/index.ts';
import { Broken, FILES, findTests, type Outcome, readTest, runTest } from './case.ts';

/**
 * Writes the expected files of a test, which was found in the folder `within`. After an error there are no expected
 * objects. Returns false if a file cannot be written.
 */
function update(outcome: Outcome, within: string, reports: Report[]): boolean {
  const { folder, objects, diagnostics, expectsDiagnostics } = outcome;
  const failed = hasErrors(diagnostics);
  const file = join(folder, FILES.objects);
  const list = join(folder, FILES.diagnostics);
  const all = objects.map(({ object }) => object);
  const expected = () => (existsSync(file) ? rewriteExpected(readRegularText(file), all) : toYaml(all));
  const changes: Change[] = [{ file, output: failed ? undefined : [expected()] }];
  if (failed || expectsDiagnostics) {
    const reported = diagnostics.filter(({ severity }) => severity !== 'info');
    const items = reported.map((one) => itemOf(expectationOf(one)));
    changes.push({ file: list, output: items.length === 0 ? ['[]\n'] : items });
  }
  const [fault] = replaceFiles(folder, changes, { within });
  if (fault !== undefined) reports.push(fault);
  return fault === undefined;
}

/** JSON texts are valid YAML. */
const itemOf = (fields: Readonly<Record<string, string | number>>): string => {
  const textOf = (value: string | number) => (/^[a-z-]+$/.test(String(value)) ? value : JSON.stringify(value));
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${textOf(value)}\n`);
  return `- ${lines.join('  ')}`;
};

const own = {
  output: reportedAs,
  allowEmpty: flag('Succeed if a folder has no test.'),
  failOn: choice(
    ['error', 'unknown'],
    'Exit with 1 for failing tests; unknown: also if something in their input is not looked at.',
  ),
  ...ledgerOptions,
  filter: list('TEXT', 'Run only the tests whose folder has this text in its path; several: any of them.'),
  update: flag('Update the expected files of failing tests; review the difference before you commit it.'),
  watch: flag('Run again whenever a file changes.'),
  coverage: flag('Report which nodes, conditions, collection sizes and branches of expressions the tests cover.'),
  coverageReport: list('FORMAT=FILE', 'Write the coverage to FILE, as text, json or lcov.', {
    each: { pattern: /^(text|json|lcov)=.+$/su, expected: 'text=FILE, json=FILE or lcov=FILE' },
  }),
  coverageMin: integer('PERCENT', 'Fail when the tests reach less than this percentage of all RGDs together.', {
    default: 0,
    minimum: 0,
  }),
};
type Testing = Invocation<typeof own>;

export const test = defineCommand({
  own,
  shared: plainReporting,
  needs: [1, 'a DIR'],
  run: (invocation) => {
    const { settings, paths, io } = invocation;
    const look = async (): Promise<number> => runTests(invocation);
    return settings.watch ? watch([...paths, ...watchedBy(paths)], look, io) : look();
  },
});

function watchedBy(paths: readonly string[]): string[] {
  const read = paths
    .filter((path) => existsSync(path))
    .flatMap((path) => findTests(path).folders)
    .flatMap((folder) => attempt(() => readTest(folder), Broken) ?? [])
    .flatMap((test) => [...test.paths, ...pathsBeside(test.settings)]);
  return [...new Set(read)].filter((path) => existsSync(path));
}

/** The folders of tests below the paths of a command. */
interface TestFolders {
  folders: ReadonlySet<string>;
  /** Those that are not run because they are hidden. */
  hidden: ReadonlySet<string>;
}

/** Returns the folders of tests, or the exit code if a path has none, after its report. */
function foldersOf(invocation: Testing): TestFolders | number {
  const { settings, paths } = invocation;
  const all = new Set<string>();
  const hidden = new Set<string>();
  for (const path of paths) {
    if (!existsSync(path)) {
      const message = told`${{ file: trusted.file(path) }}: no such file or directory`;
      return fail('unreadable-file', message, invocation);
    }
    const { folders, hidden: unseen } = findTests(path);
    for (const folder of unseen) hidden.add(folder);
    if (folders.length === 0 && !settings.allowEmpty) {
      const message = told`${{ file: trusted.file(path) }} has no tests: a test is a folder with a ${FILES.test}, which may be empty, and its input; --update writes the expected files`;
      return fail('nothing-to-read', message, invocation);
    }
    for (const folder of folders) all.add(folder);
  }
  return { folders: all, hidden };
}

function runTests(invocation: Testing): number {
  const { settings, paths, io } = invocation;
  const found = foldersOf(invocation);
  if (typeof found === 'number') return found;
  const { folders: all, hidden } = found;
  if (all.size === 0) {
    io.stderr('no tests\n');
    return exitCode.ok;
  }
  const { filter } = settings;
  const folders = [...all].filter((folder) => filter.length === 0 || filter.some((text) => folder.includes(text)));
  if (folders.length === 0) {
    const message = told`--filter: no test has ${{ value: trusted.argument(filter.join(' or ')) }} in its path`;
    return fail('not-found', message, invocation);
  }
  const measured = settings.coverage || settings.coverageReport.length > 0 || settings.coverageMin > 0;
  const collector = measured ? createCollector() : undefined;
  // Runs one after the other: a test takes milliseconds, less than starting a thread.
  const outcomes = folders.map((folder, index) => {
    io.progress(`test ${index + 1} of ${folders.length}: ${folder}`);
    return runTest(folder, collector, settings.update);
  });
  io.progress('');
  const changed = settings.update
    ? outcomes.filter(
        ({ folder, verdict, fault }) => fault === undefined && (!verdict.passed || isUsed(join(folder, INSIDE))),
      )
    : [];
  const reports: Report[] = [];
  const operandOf = ({ folder }: Outcome): string =>
    paths.find((path) => isInside(resolve(folder), resolve(path))) ?? folder;
  const updated = new Set(changed.filter((outcome) => update(outcome, operandOf(outcome), reports)));
  const evidence = evidenceOf(outcomes, updated, [...hidden]);
  const reported = { ...reportOf(outcomes, updated), evidence };
  const failsOn: FailsOn[] = settings.failOn === 'unknown' ? ['unknown'] : [];
  const judgement = judge(evidence, { errors: reported.diagnostics.length, warnings: 0 }, failsOn);
  const unaccounted = accountFor(evidence, judgement, invocation);
  const code = concludeReport(
    invocation,
    reported,
    judgement.isRefused ? exitCode.input : exitCode.ok,
    () => textOf(outcomes, updated, painter(invocation), settings.quiet) + unseenLines(evidence, painter(invocation)),
  );
  const unwritten = collector === undefined ? [] : writeCoverage(collector.result(), invocation);
  const faults = [...reports, ...unaccounted, ...unwritten];
  if (faults.length === 0) return code;
  printReports(invocation, faults);
  return exitCode.input;
}

/** What was updated is as it is expected from now on. */
function evidenceOf(outcomes: readonly Outcome[], updated: ReadonlySet<Outcome>, hidden: readonly string[]): Evidence {
  const entryOf = (folder: string, outcome: Entry['outcome']): Entry => {
    const title = trusted.file(folder);
    return { unit: 'test', file: folder, title, kind: title, outcome };
  };
  const run = outcomes.map((one) =>
    entryOf(one.folder, one.verdict.passed || updated.has(one) ? { is: 'compared' } : { is: 'failed' }),
  );
  const unseen = hidden.map((folder) => entryOf(folder, { is: 'unseen', why: 'hidden' }));
  // Several tests may have the same input.
  const files = new Map<string | undefined, Entry>();
  for (const { evidence } of outcomes) for (const entry of evidence.files) files.set(entry.file, entry);
  return {
    ...NO_EVIDENCE,
    files: [...files.values()].map(settled),
    documents: outcomes.flatMap(({ evidence }) => evidence.documents).map(settled),
    given: [...run, ...unseen, ...outcomes.flatMap(({ evidence }) => evidence.given)],
  };
}

/** A document with an error is compared with the expected diagnostics. */
const settled = (entry: Entry): Entry =>
  entry.outcome.is === 'failed' ? { ...entry, outcome: { is: 'compared' } } : entry;

/** Names what the tests did not look at, also what is left out on request. */
function unseenLines(evidence: Evidence, paint: Paint): string {
  const entries = entriesOf(evidence);
  const unseen = entries.flatMap((entry) => {
    const { outcome } = entry;
    return outcome.is === 'unseen'
      ? [`${paint('yellow', 'not tested:')} ${nameOf(entry)} (${UNSEEN[outcome.why]})\n`]
      : [];
  });
  const left = leftOut(entries).map((entry) => `not tested: ${nameOf(entry)} (left out on request)\n`);
  return [...new Set([...unseen, ...left])].join('');
}

const nameOf = ({ title, file }: Entry): string =>
  visible(file === undefined || file === title ? title : `${title} in ${file}`);

/** Runs the test of a folder, and returns what the command prints. */
export function testReport(folder: string, updates: boolean): string {
  const outcome = runTest(folder, undefined, updates);
  const reports: Report[] = [];
  const isUpdated =
    updates && outcome.fault === undefined && !outcome.verdict.passed && update(outcome, folder, reports);
  const faults = reports.map(({ message }) => `${message}\n`).join('');
  const updated = new Set(isUpdated ? [outcome] : []);
  const paint: Paint = (_, text) => text;
  return faults + textOf([outcome], updated, paint) + unseenLines(evidenceOf([outcome], updated, []), paint);
}

function reportOf(outcomes: readonly Outcome[], updated: ReadonlySet<Outcome>) {
  const failed = outcomes.filter((outcome) => !outcome.verdict.passed && !updated.has(outcome));
  const diagnostics = new Map(failed.map((outcome) => [outcome, diagnosticOf(outcome)]));
  return {
    diagnostics: [...diagnostics.values()],
    files: outcomes.map((outcome) => ({
      file: diagnostics.get(outcome)?.file ?? join(outcome.folder, FILES.test),
      objects: [outcome.folder],
    })),
    sources: new Map(),
  };
}

const diagnosticOf = (outcome: Outcome): Diagnostic => ({
  severity: 'error',
  code: outcome.fault === undefined ? 'test-failed' : 'test-broken',
  stage: 'test',
  object: outcome.folder,
  ...placeOf(outcome),
  message: (outcome.fault?.message ?? detailOf(outcome, (_, text) => text)).trimEnd(),
});

/** Returns the line of the first expected object that differs; the test.yaml if none does. */
function placeOf({ fault, verdict, expected, folder }: Outcome): { file: string; line: number } {
  const changed = new Set(
    verdict.comparison?.changes.flatMap(({ before }) => (before ? [identityOf(before.object)] : [])),
  );
  const input = fault === undefined ? expected.find(({ object }) => changed.has(identityOf(object))) : undefined;
  const reports = new Collector();
  if (input !== undefined) reporterFor(input, reports).report({ code: 'test-failed', message: phrase``, path: [] });
  const [found] = toDiagnostics(reports.all);
  return { file: found?.file ?? fault?.file ?? join(folder, FILES.test), line: found?.line ?? 1 };
}

function detailOf({ verdict, sources, folder }: Outcome, paint: Paint): string {
  const { comparison, unexpected, missing } = verdict;
  const parts: string[] = [];
  if (unexpected.length > 0) {
    const placed = unexpected.map((one) => (one.file === undefined ? one : { ...one, file: join(folder, one.file) }));
    parts.push(`not expected:\n${formatDiagnostics(placed, sources)}`);
  }
  if (missing.length > 0) {
    const fields = missing.map((one) => Object.entries(one).map(([key, value]) => `${key}: ${value}`));
    const lines = fields.map((each) => `  ${each.join(', ')}\n`);
    parts.push(visible(`expected, but not reported:\n${lines.join('')}`));
  }
  if (comparison !== undefined) parts.push(comparisonText(comparison, paint));
  return parts.join('');
}

function textOf(outcomes: readonly Outcome[], updated: ReadonlySet<Outcome>, paint: Paint, quiet = false): string {
  const lines = outcomes.map((outcome) => {
    const folder = visible(outcome.folder);
    if (updated.has(outcome)) return `${paint('yellow', 'updated')} ${folder}\n`;
    if (outcome.verdict.passed) return quiet ? '' : `${paint('green', 'ok')} ${folder}\n`;
    const { fault } = outcome;
    const detail = fault === undefined ? detailOf(outcome, paint) : `${visible(`${fault.file}: ${fault.message}`)}\n`;
    return `${paint('red', 'FAILED')} ${folder}\n${detail.replace(/^(?=.)/gm, '  ')}`;
  });
  const passed = outcomes.filter((outcome) => outcome.verdict.passed).length;
  const counts = [`${passed} passed`, `${updated.size} updated`, `${outcomes.length - passed - updated.size} failed`];
  return `${lines.join('')}${counts.filter((count, index) => index === 0 || !count.startsWith('0 ')).join(', ')}\n`;
}

const WRITERS: Readonly<Record<string, (coverage: Coverage) => string>> = {
  text: coverageText,
  json: coverageJson,
  lcov: coverageLcov,
};

function writeCoverage(coverage: Coverage, invocation: Testing): Report[] {
  const { settings, io } = invocation;
  if (settings.coverage && printedFormat(invocation) === 'text') io.stdout([`\n${coverageText(coverage)}`]);
  else if (settings.coverage) io.stderr(coverageText(coverage));
  const unwritten = settings.coverageReport.flatMap((one) => {
    const equals = one.indexOf('=');
    const writer = ownValue(WRITERS, one.slice(0, equals)) ?? coverageText;
    return writeText(one.slice(equals + 1), writer(coverage));
  });
  const reached = percentOf(coverage);
  if (reached >= settings.coverageMin) return unwritten;
  const message = told`--coverage-min: the tests reach ${{ value: reached }}%, less than ${{ limit: settings.coverageMin }}%`;
  return [...unwritten, unplaced('coverage-low', message)];
}
