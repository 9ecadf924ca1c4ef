import { existsSync, type FSWatcher, statSync, watch as watchPath } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { lintCodes } from '../check/lint/index.ts';
import { isPolicy } from '../check/policies/index.ts';
import { countsOf, unreadReports } from '../check/reports/index.ts';
import {
  applyRules,
  type RuleSet,
  readAccepted,
  readBaseline,
  readPolicyPaths,
  readRules,
} from '../check/rules/index.ts';
import { inFileOrder, isOnlyPending, lookedAt, textsIn, validatePackage, withFiles } from '../check/validate/index.ts';
import { KIND_PATTERN } from '../compare/diff/index.ts';
import {
  Collector,
  codes,
  condenseWith,
  counted,
  type Diagnostic,
  type Foldable,
  type Problem,
  phrase,
  toReport,
  trusted,
  wanted,
  withoutConsequences,
} from '../core/diagnostics/index.ts';
import {
  type Entry,
  type Evidence,
  type FailsOn,
  type Judgement,
  judge,
  withoutFailures,
} from '../core/ledger/index.ts';
import { type Document, textsByFile } from '../core/model/object.ts';
import { isMap } from '../core/model/value.ts';
import { didYouMean } from '../core/text/nearest.ts';
import { visible } from '../core/text/visible.ts';
import { pathsBeside, withoutTemplates } from '../describe/input/index.ts';
import { examine, groupSimilar } from '../gitops/doctor/index.ts';
import { choice, flag, list, reportingOptions, sharedOptions, text } from '../render/options/index.ts';
import { withoutEarlier } from '../render/rerender/index.ts';
import { diagnosticsOf, type ReportedDiagnostic } from '../yaml/locate/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { acceptAll, acceptedIn, type Baseline, coverageOf, readBaselineFile, rewritten } from './baseline.ts';
import { defineCommand, forChecks, type Invocation } from './command.ts';
import { messageOf, nearestAbove, placeOf, type Within } from './file-system.ts';
import { type Gathered, gather, type ReadOptions, readFiles } from './files.ts';
import { notCheckedOut } from './git/missing.ts';
import { accountFor, ledgerOptions } from './ledger.ts';
import { MetFiles } from './met-files.ts';
import {
  conclude,
  concludePartly,
  concludeReport,
  exitCode,
  type Io,
  type Reported,
  refuse,
  reportedAs,
} from './output.ts';
import { writeText } from './write/index.ts';

const NAME = 'render-rgd.yaml';

export const policyOptions = {
  policies: list(
    'PATH',
    'Evaluate the admission policies of this path, with the parameters and namespaces beside them.',
  ),
  as: text('USER', 'The user who applies the objects, for policies that read request.userInfo.'),
  asGroup: list('GROUP', 'A group of that user.'),
};

export const holdsData = list(
  'KIND.GROUP',
  'A kind whose objects lose data when they are deleted, beside those that are known.',
  { each: { pattern: KIND_PATTERN, expected: 'Kind.group, with * for any part of it' } },
);

/** Reads `--config`, or the nearest render-rgd.yaml above up to the root of the repository, where its globs start. */
export function readSettings(
  paths: readonly string[],
  config: string,
  reports: Collector,
  within: Within = () => true,
): RuleSet {
  const file = config === '' ? settingsAbove(resolve(folderOf(paths[0] ?? '.'))) : config;
  if (file === undefined || !within(placeOf(file))) return { rules: [] };
  const shown = config === '' ? relative('.', file) : file;
  const texts = readFiles([shown], { missing: 'error' }, reports);
  const [document] = readStreams(texts, reports);
  // A functionConfig may have the same name.
  if (config === '' && isMap(document?.object) && Object.hasOwn(document.object, 'apiVersion')) return { rules: [] };
  const report = (problem: Problem): void =>
    reports.add({ ...toReport(problem), ...(document?.source && { source: document.source }) });
  const rules = readRules(document?.object, report);
  const accepted = readAccepted(document?.object, report);
  const root = dirname(resolve(file));
  const policies = readPolicyPaths(document?.object, report).map((path) => relative('.', resolve(root, path)) || '.');
  const baseline = readBaseline(document?.object, report);
  return { rules, accepted, baseline, policies, relative: (path) => relative(root, resolve(path)) };
}

/** Reads the admission policies of `--policies` and of a render-rgd.yaml. Paths without any are an error. */
export function readPolicyFiles(
  given: readonly string[],
  { policies = [] }: Partial<RuleSet>,
  options: ReadOptions,
  reports: Collector,
): Document[] {
  const paths = [...given, ...policies];
  if (paths.length === 0) return [];
  const documents = readStreams(readFiles(paths, { ...options, missing: 'error' }, reports), reports);
  if (!reports.hasErrors && !objectsIn(documents).some(isPolicy)) {
    const message = phrase`there is no ValidatingAdmissionPolicy in ${trusted.file(paths.join(', '))}, so that nothing would be checked`;
    reports.add(toReport({ code: 'not-found', message, path: [] }));
  }
  return documents;
}

const folderOf = (path: string): string => {
  if (path === '-' || !existsSync(path)) return '.';
  return statSync(path).isDirectory() ? path : dirname(path);
};

function settingsAbove(folder: string): string | undefined {
  const found = nearestAbove(folder, NAME);
  const root = nearestAbove(folder, '.git') ?? '';
  return found !== undefined && found.length >= root.length ? join(found, NAME) : undefined;
}

const validateOptions = {
  output: reportedAs,
  failOn: choice(
    ['error', 'warning', 'unknown'],
    'Exit with 1 if there is a diagnostic of this severity or a higher one; unknown: if something was not looked at.',
  ),
  disable: list('CODE', 'Disable this lint; docs/diagnostics.md lists them.', {
    each: { pattern: /^lint-[a-z-]+$/, expected: 'lint-NAME; a rule in render-rgd.yaml turns off other warnings' },
    completes: lintCodes,
  }),
  config: text(
    'FILE',
    'Read rules for diagnostics from this file, in place of the nearest render-rgd.yaml above the input.',
  ),
  accept: text('FILE', 'Read accepted diagnostics from this file: only what is new counts.'),
  acceptNew: text('REASON', 'Write all diagnostics to the file of --accept, with this reason for the new ones.'),
  ...policyOptions,
  ...ledgerOptions,
  watch: flag('Run again whenever a file changes.'),
};

export const validate = defineCommand({
  own: validateOptions,
  ...forChecks,
  needs: [1, 'a PATH; - reads standard input'],
  run: (invocation) => {
    const { settings, paths, io } = invocation;
    const unknown = settings.disable.find((code) => !lintCodes.some((one) => one === code));
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, lintCodes, 1) ?? `the lints are ${lintCodes.join(', ')}`;
      return refuse(`--disable: unknown lint '${unknown}'; ${hint}`, invocation);
    }
    if (settings.acceptNew !== '' && settings.accept === '') {
      return refuse('--accept-new needs --accept FILE, which it writes', invocation);
    }
    if (!settings.watch) return validateOnce(invocation);
    const read = [...paths, ...pathsBeside(settings), ...settings.policies];
    if (read.includes('-')) {
      return refuse('--watch does not support standard input; pass a file or a folder', invocation);
    }
    return watch(read, () => validateOnce(invocation), io);
  },
});

async function validateOnce(invocation: Invocation<typeof validateOptions>): Promise<number> {
  const met = new MetFiles();
  const gathered = await gather(invocation, { met });
  met.recordMissing(notCheckedOut(invocation.paths.filter((path) => path !== '-')));
  // An API server rejects some objects of a named file that `render` accepts like the Flux operator's build.
  const read = { ...gathered, input: { ...gathered.input, isNamedFile: false } };
  const baselines = readBaselineFile(invocation.settings, gathered.reports);
  const { found, judgement, written } = reportOf(read, met.entries, baselines, invocation);
  if (written !== undefined) return conclude(invocation, writeText(invocation.settings.accept, written));
  const unwritten = accountFor(found.evidence, judgement, invocation);
  const code = concludeReport(invocation, found, judgement.isRefused ? exitCode.input : exitCode.ok);
  return unwritten.length > 0 ? conclude(invocation, unwritten) : code;
}

/** What a validation reports, and what the command concludes. */
interface Found {
  found: Reported & { evidence: Evidence };
  judgement: Judgement;
  /** The text of a new baseline, if one is asked for. */
  written?: string;
}

function reportOf(
  { input: read, reports, readOptions }: Gathered,
  met: readonly Entry[],
  baselines: readonly Baseline[],
  { settings, paths, io }: Invocation<typeof validateOptions>,
): Found {
  const rules = readSettings(paths, settings.config, reports, readOptions.within);
  const input = { ...read, policies: readPolicyFiles(settings.policies, rules, readOptions, reports) };
  io.progress(`validating ${counted(input.objects.length, 'document')} ...`);
  const clean = withoutEarlier(input);
  const { reports: found, evidence } = validatePackage(clean, settings);
  const { templates = [] } = read;
  const seen = withFiles(evidence, { met, templates, reports: reports.all });
  // Templates have a warning of their own, which says what renders them.
  const files = seen.files.filter(({ file }) => file !== undefined && !templates.includes(file));
  const unread = unreadReports(files, settings.strict);
  const all = withoutConsequences([...reports, ...found, ...unread]);
  io.progress('');
  const shown = wanted(all, { ...settings, quiet: false }).filter(
    (report) => settings.verbose || !isOnlyPending(report),
  );
  const looked = lookedAt(input, [...reports, ...found]);
  const sources = new Map([...textsIn(input), ...textsByFile(all)]);
  const unsettled = applyRules(diagnosticsOf(shown).map(foldable), sources, rules);
  const isCovered = coverageOf([...looked.map(({ file }) => file), ...met.flatMap(({ file }) => file ?? [])]);
  const ofSettings: Baseline = {
    entries: rules.baseline ?? [],
    file: NAME,
    pathOf: rules.relative ?? ((path) => path),
  };
  const { left, accepted, unused, entries } = acceptAll(unsettled, [...baselines, ofSettings], isCovered);
  const ruled = [...left, ...unused];
  const [own] = baselines;
  const isWritten = settings.acceptNew !== '' && own !== undefined;
  const written = isWritten ? rewritten(entries, left, own, settings.acceptNew) : undefined;
  const complete = inFileOrder(
    ruled.filter((one) => !settings.quiet || one.severity === 'error'),
    looked.map(({ file }) => file),
  );
  const counts = countsOf(ruled);
  const known = acceptedIn(seen, accepted);
  const settled = counts.errors === 0 ? withoutFailures(known) : known;
  const reported = {
    verbose: settings.verbose,
    hidden: ruled.filter(({ severity }) => severity === 'warning').length - countsOf(complete).warnings,
    diagnostics: condenseWith<FoldableDiagnostic>(complete, (line) => ({ ...line, stage: codes[line.code].stage })),
    complete,
    files: looked,
    sources,
    evidence: settled,
  };
  const judgement = judge(settled, counts, failsOn(settings));
  return { found: reported, judgement, ...(written !== undefined && { written }) };
}

/** Returns what makes the command fail besides errors. A warning reports everything that nobody looked at. */
function failsOn({ failOn, strict }: { failOn: 'error' | 'warning' | 'unknown'; strict: boolean }): FailsOn[] {
  if (failOn === 'warning') return ['warning', 'unknown'];
  return failOn === 'unknown' || strict ? ['unknown'] : [];
}

type FoldableDiagnostic = Diagnostic & Foldable;

function foldable({ diagnostic, report: { alike, listed } }: ReportedDiagnostic): FoldableDiagnostic {
  const result: FoldableDiagnostic = { ...diagnostic };
  if (alike !== undefined) result.alike = alike;
  if (listed !== undefined) result.listed = listed;
  return result;
}

const { definitions, exclude, onPending } = sharedOptions;

const doctorOptions = { output: reportedAs };

export const doctor = defineCommand({
  own: doctorOptions,
  shared: { definitions, exclude, onPending, ...reportingOptions },
  run: examinePackage,
});

async function examinePackage(invocation: Invocation<typeof doctorOptions>): Promise<number> {
  const { settings, io } = invocation;
  const paths = invocation.paths.length > 0 || io.stdinIsTerminal() ? invocation.paths : ['-'];
  if (paths.length === 0) return refuse('doctor needs a PATH; - reads standard input', invocation);
  const reports = new Collector();
  const readsStdin = [...paths, ...settings.definitions].includes('-');
  const readOptions = { exclude: settings.exclude, stdin: readsStdin ? await io.stdin() : undefined };
  const runnerFiles = paths.map((path) => join(path, 'Kptfile')).filter((file) => existsSync(file));
  const streams = readFiles([...paths, ...runnerFiles], readOptions, reports);
  const beside = readFiles(settings.definitions, readOptions, reports);
  const read = { objects: readStreams(streams, reports), definitions: readStreams(beside, reports) };
  const input = withoutTemplates([...streams, ...beside], read, reports, false);
  const objects = objectsIn(input.objects);
  const rgds = objectsIn(input.definitions);
  const examined = { streams, objects, definitions: rgds, onPending: settings.onPending };
  const line = reports.hasErrors ? '' : examine(examined, reports);
  if (settings.output !== 'text') {
    const complete = diagnosticsOf(reports.all).map(({ diagnostic }) => diagnostic);
    const found = { diagnostics: complete, complete, files: [], sources: new Map() };
    return concludeReport(invocation, found, reports.hasErrors ? exitCode.input : exitCode.ok);
  }
  return concludePartly(invocation, reports.all, () => [line], settings.verbose ? undefined : groupSimilar);
}

/** Editors write a file in several steps: events within so many milliseconds are one change. */
const QUIET = 100;

/** Runs `look` at each change below the paths; of a file the folder is watched, because editors replace files. */
export async function watch(paths: readonly string[], look: () => Promise<number>, io: Io): Promise<number> {
  const code = await look();
  if (code === exitCode.usage) return code;
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = running;
    if (running) return;
    running = true;
    io.stdout([io.erases('stdout') ? '\u001B[2J\u001B[H' : '\n']);
    await look();
    running = false;
    if (again) await run();
  };
  const end = (error: unknown): number => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    io.stderr(visible(`render-rgd: cannot watch: ${messageOf(error)}\n`));
    return exitCode.input;
  };
  return new Promise((resolve, reject) => {
    const changed = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        run().catch(reject);
      }, QUIET);
    };
    try {
      for (const folder of new Set(paths.map(folderToWatch))) {
        const watcher = watchPath(folder, { recursive: true }, changed);
        watcher.on('error', (error) => resolve(end(error)));
        watchers.push(watcher);
      }
    } catch (error) {
      resolve(end(error));
      return;
    }
    io.stderr('render-rgd: watching for changes; Ctrl-C ends it\n');
  });
}

const folderToWatch = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));
