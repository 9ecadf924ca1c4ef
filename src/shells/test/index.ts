import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/index.ts';
import { comparisonText } from '../../diff/index.ts';
import { formatDiagnostics } from '../../locate/index.ts';
import { parseArguments, type Settings } from '../../options/index.ts';
import type { ReportInput } from '../../reports/index.ts';
import { type Coverage, coverageJson, coverageLcov, coverageText, createCollector } from '../../testing/index.ts';
import { visible } from '../../text/visible.ts';
import { refuse } from '../gather.ts';
import { exitCode, type Io } from '../io.ts';
import { painter } from '../paint.ts';
import { reportTargets, writeReports, writeText } from '../report.ts';
import { FILES, findTests } from './case.ts';
import { type Outcome, runTest } from './run.ts';
import { update } from './update.ts';

/** `render-rgd test DIR... [options]` */
export async function testCommand(args: readonly string[], io: Io, version: string): Promise<number> {
  const parsed = parseArguments(args, 'test');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const { settings, paths } = parsed;
  const targets = reportTargets(settings.report);
  if ('fault' in targets) return refuse(targets.fault, io);
  if (paths.length === 0) return refuse('test needs a DIR', io);
  const folders = foldersBelow(paths, io);
  if (folders === undefined) return exitCode.input;
  const measured = settings.coverage || settings.coverageReport.length > 0;
  const collector = measured ? createCollector() : undefined;
  // One after the other: a test takes milliseconds, and a thread for it more than that to start.
  const outcomes = folders.map((folder, index) => {
    io.progress(`test ${index + 1} of ${folders.length}: ${folder}`);
    return runTest(folder, collector, settings.update);
  });
  io.progress('');
  const changed = settings.update
    ? outcomes.filter(({ verdict, fault }) => !verdict.passed && fault === undefined)
    : [];
  const updated = new Set(changed.filter((outcome) => update(outcome, io)));
  const input = reportOf(outcomes, updated, version, io);
  let written = updated.size === changed.length;
  written = writeReports(targets, input, io, () => textOf(outcomes, updated, settings, io)) && written;
  if (collector !== undefined) written = writeCoverage(collector.result(), settings, targets, io) && written;
  return written && input.diagnostics.length === 0 ? exitCode.ok : exitCode.input;
}

/** The folders of all tests; undefined, and said so, when a path holds none. */
function foldersBelow(paths: readonly string[], io: Io): string[] | undefined {
  const found = new Set<string>();
  for (const path of paths) {
    const folders = statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : findTests(path);
    if (folders === undefined || folders.length === 0) {
      const reason =
        folders === undefined ? 'there is no such file or folder' : `no folder below it holds a ${FILES.test}`;
      io.stderr(visible(`render-rgd: ${path}: ${reason}\n`));
      return undefined;
    }
    for (const folder of folders) found.add(folder);
  }
  return [...found];
}

function reportOf(outcomes: readonly Outcome[], updated: ReadonlySet<Outcome>, version: string, io: Io): ReportInput {
  const failed = outcomes.filter((outcome) => !outcome.verdict.passed && !updated.has(outcome));
  return {
    command: 'test',
    version,
    diagnostics: failed.map(diagnosticOf),
    files: outcomes.map(({ folder }) => ({ file: join(folder, FILES.test), objects: [folder] })),
    sources: new Map(),
    colors: io.colors(),
  };
}

const diagnosticOf = (outcome: Outcome): Diagnostic => ({
  severity: 'error',
  code: outcome.fault === undefined ? 'test-failed' : 'test-broken',
  stage: 'test',
  object: outcome.folder,
  file: outcome.fault?.file ?? join(outcome.folder, FILES.test),
  line: 1,
  message: (outcome.fault?.message ?? detailOf(outcome, (_, text) => text)).trimEnd(),
});

/** What differs, for people. */
function detailOf({ verdict, sources, folder }: Outcome, paint: ReturnType<typeof painter>): string {
  const { comparison, unexpected, missing } = verdict;
  const parts: string[] = [];
  if (unexpected.length > 0) {
    const placed = unexpected.map((one) => (one.file === undefined ? one : { ...one, file: join(folder, one.file) }));
    parts.push(`not expected:\n${formatDiagnostics(placed, sources)}`);
  }
  if (missing.length > 0) {
    const lines = missing.map(
      (one) =>
        `  ${Object.entries(one)
          .map(([key, value]) => `${key}: ${value}`)
          .join(', ')}\n`,
    );
    parts.push(visible(`expected, and not told:\n${lines.join('')}`));
  }
  if (comparison !== undefined) parts.push(comparisonText(comparison, paint));
  return parts.join('');
}

function textOf(outcomes: readonly Outcome[], updated: ReadonlySet<Outcome>, settings: Settings, io: Io): string {
  const paint = painter(io);
  const lines = outcomes.map((outcome) => {
    const folder = visible(outcome.folder);
    if (updated.has(outcome)) return `${paint('yellow', 'updated')} ${folder}\n`;
    if (outcome.verdict.passed) return settings.quiet ? '' : `${paint('green', 'ok')} ${folder}\n`;
    const detail =
      outcome.fault === undefined
        ? detailOf(outcome, paint)
        : `${visible(`${outcome.fault.file}: ${outcome.fault.message}`)}\n`;
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

/** The text goes behind the results, unless those are for a machine. */
function writeCoverage(
  coverage: Coverage,
  { coverage: asked, coverageReport }: Settings,
  targets: readonly { format: string; file: string | undefined }[],
  io: Io,
): boolean {
  const isForPeople = targets.some(({ format, file }) => format === 'text' && file === undefined);
  if (asked && isForPeople) io.stdout([`\n${coverageText(coverage)}`]);
  else if (asked) io.stderr(coverageText(coverage));
  return coverageReport
    .map((one) => {
      const equals = one.indexOf('=');
      const writer = WRITERS[one.slice(0, equals)] ?? coverageText;
      return writeText(one.slice(equals + 1), writer(coverage), io);
    })
    .every(Boolean);
}
