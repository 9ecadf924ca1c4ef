import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ReportInput, unreadReports, writeReport } from '../check/reports/index.ts';
import { inFileOrder, lookedAt, withFiles } from '../check/validate/index.ts';
import {
  CHANGE_NAMES,
  type CompatException,
  comparePackages,
  compareSemantics,
  faultInName,
  instanceTable,
  isDanger,
  parseException,
  rgdNamesIn,
} from '../compare/compat/index.ts';
import {
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  diffPackages,
  isWhole,
  unreadDocuments,
} from '../compare/diff/index.ts';
import {
  Collector,
  composeText,
  isError,
  joinReports,
  mapText,
  nothingFound,
  type Report,
  trusted,
  unplaced,
  withoutConsequences,
} from '../core/diagnostics/index.ts';
import { type Entry, type Evidence, type FailsOn, judge, ledgerValue, NO_EVIDENCE } from '../core/ledger/index.ts';
import { type InputObject, textsByFile } from '../core/model/object.ts';
import type { RenderInput } from '../core/model/render.ts';
import { type FoundText, pathsBeside, type Reader, readInput } from '../describe/input/index.ts';
import { choice, defaultSettings, flag, list, type Settings, sharedOptions, text } from '../render/options/index.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { createSharedReaders, readStreams } from '../yaml/parse/index.ts';
import { holdsData, policyOptions } from './check-options.ts';
import { defineCommand, forChecks, type Invocation } from './command.ts';
import { type FileNames, filesOfVersions, namesBelow } from './compared-files.ts';
import { type ReadOptions, readerWith, readFiles } from './files.ts';
import { checkOut } from './git/commit.ts';
import { notCheckedOut } from './git/missing.ts';
import { accountFor, ledgerOptions } from './ledger.ts';
import { MetFiles } from './met-files.ts';
import {
  conclude,
  concludePartly,
  concludeReport,
  exitCode,
  painter,
  printedAs,
  printedFormat,
  refuse,
  reportedAs,
} from './output.ts';
import { readPolicyFiles, readSettings } from './settings-file.ts';
import { rootsOf, withTraces } from './traces.ts';

/** The option of commands that compare two versions. */
export const against = text(
  'REF',
  'Compare with the files of a git commit: a branch, a tag or a hash. The working tree does not change.',
  { completes: 'refs' },
);
type VersionSettings = Settings & { against: string };

/** Returns the error of the paths of a command with OLD and NEW, or PATH... and --against REF. */
function faultInVersions(command: string, paths: readonly string[], settings: VersionSettings): string | undefined {
  if (settings.against === '') {
    if (paths.length === 2)
      return paths[0] === '-' && paths[1] === '-' ? `${command}: OLD and NEW are both -` : undefined;
    return `${command} needs OLD and NEW, or PATH... and --against REF`;
  }
  if (paths.length === 0) return `${command} --against needs a PATH`;
  const isPiped = [...paths, ...pathsBeside(settings)].includes('-');
  return isPiped ? `${command} --against reads files of git, and standard input is none` : undefined;
}

interface Versions {
  before: RenderInput | undefined;
  after: RenderInput;
  ofBefore: Collector;
  /** The outcomes of the files of both versions. */
  files: readonly Entry[];
  /** The names of the same file in both versions. */
  names: FileNames;
}

/** Reads two paths, or the paths of a commit and of the working tree; a missing version was reported. */
function readVersions(
  paths: readonly string[],
  settings: VersionSettings,
  stdin: ReadOptions['stdin'],
  reports: Collector,
): Versions {
  const options: ReadOptions = { exclude: settings.exclude, stdin };
  const ofBefore = new Collector();
  const { first, second } = createSharedReaders();
  const [metBefore, met] = [new MetFiles(), new MetFiles()];
  const read = (some: readonly string[], own: Collector, parse: ReadOptions['parse'], files: MetFiles): RenderInput => {
    const missing = settings.allowEmpty ? undefined : 'error';
    const texts = readFiles(some, { ...options, missing, met: files }, own);
    return readInput(texts, settings, readerWith({ ...options, parse }), own);
  };
  if (settings.against === '') {
    const [old = '', newer = ''] = paths;
    const older = read([old], ofBefore, first, metBefore);
    const later = read([newer], reports, second, met);
    const names = namesBelow(old, newer);
    return {
      before: older,
      after: later,
      ofBefore,
      names,
      files: filesOfVersions(metBefore.entries, met.entries, names),
    };
  }
  const after = read(paths, reports, first, met);
  met.recordMissing(notCheckedOut(paths));
  const { against, definitions, observed, openapi } = settings;
  const named = { definitions, observed, openapi: openapi === '' ? [] : [openapi] };
  const checkout = checkOut(against, [...paths, ...Object.values(named).flat()], reports);
  if (checkout === undefined) {
    return { before: undefined, after, ofBefore, names: namesBelow('.', '.'), files: met.entries };
  }
  const { folder, at, nameOf, remove, root } = checkout;
  const names: FileNames = {
    before: (file) => resolve(root, file.slice(against.length + 1)),
    after: (file) => resolve(file),
  };
  // A path that did not exist yet is empty.
  const isThere = (path: string): boolean => existsSync(at(path));
  const there = (some: readonly string[]): string[] => some.filter(isThere).map(at);
  const readThere = (some: readonly string[], own: Collector, missing?: 'warning'): FoundText[] =>
    readFiles(some, { exclude: settings.exclude, missing }, own).map((one) => ({ ...one, file: nameOf(one.file) }));
  try {
    // Without its definitions, all of the newer version would be added.
    for (const [option, all] of Object.entries(paths.some(isThere) ? { definitions, openapi: named.openapi } : {}))
      for (const path of all.filter((one) => !isThere(one) && existsSync(one))) {
        const message = composeText`--${trusted.argument(option)} ${trusted.file(path)}: ${trusted.file(against)} has no such file or folder with YAML or JSON`;
        const hint = composeText`if it is new or was renamed, check ${trusted.file(against)} out with 'git worktree add' and compare the two folders`;
        reports.add(unplaced('unreadable-file', message, hint));
      }
    const own = new Collector();
    // Live objects are of the cluster, not of a commit: those that the commit does not have yet are those of the files.
    const live = observed.filter((path) => !isThere(path));
    const given = {
      ...settings,
      definitions: there(definitions),
      observed: there(observed),
      openapi: there(named.openapi)[0] ?? '',
    };
    const reader: Reader = { read: (some, found) => readThere(some, found, 'warning'), parse: second };
    const committed = readInput(readThere(there(paths), own), given, reader, own);
    const beside = second(readFiles(live, options, own), own);
    const before = { ...committed, observed: [...(committed.observed ?? []), ...beside] };
    for (const { message, ...report } of own)
      ofBefore.add({ ...report, message: mapText(message, (one) => one.replaceAll(`${folder}/`, `${against}:`)) });
    return { before, after, ofBefore, names, files: checkout.outcomes(met.entries) };
  } finally {
    remove();
  }
}

const { acceptPrune, ...shared } = sharedOptions;
const diffOptions = {
  against,
  output: printedAs(['text', 'json', 'markdown']),
  exitCode: flag('Exit with 1 when something differs, and with 2 for errors.'),
  failOn: choice(
    ['error', 'unknown'],
    'Exit with 1 for errors; unknown: also if something that may have changed is not compared.',
  ),
  holdsData,
  ...policyOptions,
  ...ledgerOptions,
};

export const diff = defineCommand({
  own: diffOptions,
  shared,
  ignored: { acceptPrune },
  run: compareObjects,
});

async function compareObjects(invocation: Invocation<typeof diffOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const fault = faultInVersions('diff', paths, settings);
  if (fault !== undefined) return refuse(fault, invocation);
  const named = [...paths, ...pathsBeside(settings), ...settings.policies];
  const stdin = named.includes('-') ? await io.stdin() : undefined;
  const reports = new Collector();
  const { before: older, after: read, ofBefore, files, names } = readVersions(paths, settings, stdin, reports);
  const rules = readSettings(paths.slice(-1), '', reports);
  const policies = readPolicyFiles(settings.policies, rules, { exclude: settings.exclude, stdin }, reports);
  const after = withTraces({ ...read, policies }, rootsOf(paths));
  // Both versions search the repository, which is read once.
  const before = older && { ...older, traceFor: after.traceFor };
  const ended = (code: number): number => (settings.exitCode && code === exitCode.input ? exitCode.usage : code);
  // An error without a place is one of the command: nothing is known of the version.
  const isFatal = [...ofBefore, ...reports].some((one) => isError(one) && one.source === undefined);
  if (before === undefined || isFatal) {
    return ended(conclude(invocation, [...ofBefore, ...reports]));
  }
  const found = diffPackages(before, after, settings, { ofBefore: ofBefore.all, files, reports: reports.all, names });
  const { comparison, evidence } = found;
  const all = withoutConsequences(joinReports([reports.all, found.reports], 'versions'));
  const failsOn: FailsOn[] = settings.strict || settings.failOn === 'unknown' ? ['unknown'] : [];
  const judgement = judge(evidence, { errors: all.filter(isError).length, warnings: 0 }, failsOn);
  const reported = [...all, ...accountFor(evidence, judgement, invocation)];
  const code = concludePartly(invocation, reported, () => {
    if (settings.output === 'json') return [comparisonJson(comparison, ledgerValue(evidence, judgement))];
    if (settings.output === 'markdown') return [comparisonMarkdown(comparison)];
    return [comparisonText(comparison, painter(invocation))];
  });
  if (code !== exitCode.ok || judgement.isRefused) return ended(exitCode.input);
  const isDifferent = comparison.changes.length > 0 || !isWhole(comparison.gaps);
  return settings.exitCode && isDifferent ? exitCode.input : code;
}

export const conservative = flag(
  'Report every change that may break an instance, as kro 0.10 does with the feature gate ConservativeCRDComparison.',
);

const compatOptions = {
  against,
  output: reportedAs,
  instances: list('PATH', 'Also report what a change does to the instances below this path, and to their objects.'),
  failOn: list(
    'WHAT',
    'Exit with 1 also if a change is dangerous for an object of an instance, or if something was not compared.',
    {
      each: { pattern: /^(error|danger|unknown)$/, expected: 'error, danger or unknown' },
      completes: ['error', 'danger', 'unknown'],
    },
  ),
  holdsData,
  conservative,
  ...ledgerOptions,
  allow: list(
    'CHANGE[:FIELD]=REASON',
    'Accept a breaking change, such as property-removed, of any field or of this one and those below it.',
    {
      each: { pattern: /^([a-z-]+|\*)(:[^=]+)?=\s*\S.*$/su, expected: 'CHANGE=REASON or CHANGE:FIELD=REASON' },
      completes: CHANGE_NAMES,
    },
  ),
};

/** What `compat` prints of less than errors: other diagnostics of the versions are those of `validate`. */
const SHOWN: readonly Report['code'][] = ['upgrade-change', 'unchecked-change', 'nothing-to-read'];

export const compat = defineCommand({
  own: compatOptions,
  ...forChecks,
  run: compareSchemas,
});

/**
 * Reports whether two inputs are versions of one package: they have an RGD of one name or kind. Two that both have RGDs
 * and none in common are a package, and that is said.
 */
function areVersions(versions: Versions | undefined, reports: Collector): boolean {
  const [old, newer] = [versions?.before, versions?.after].map((input) => rgdNamesIn(input?.objects ?? []));
  if (old === undefined || newer === undefined || old.length === 0 || newer.length === 0) return false;
  if (old.some((name) => newer.includes(name))) return true;
  const message = composeText`both paths have RGDs, and none in common: they are read as one package, and no update is compared`;
  reports.add(nothingFound(message));
  return false;
}

async function compareSchemas(invocation: Invocation<typeof compatOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const isUpgrade = settings.kro !== defaultSettings.kro;
  const isPackage = isUpgrade && settings.against === '' && paths.length !== 2;
  const fault = isPackage
    ? paths.length === 0 && 'compat --kro needs a PATH'
    : faultInVersions('compat', paths, settings);
  if (fault) return refuse(fault, invocation);
  const exceptions = settings.allow.map(parseException).filter((one): one is CompatException => one !== undefined);
  const [unknown] = exceptions.flatMap(({ rule }) => faultInName(rule) ?? []);
  if (unknown !== undefined) return refuse(`--allow: ${unknown}`, invocation);
  const reports = new Collector();
  const named = [...paths, ...settings.instances, ...settings.definitions];
  const stdin = named.includes('-') ? await io.stdin() : undefined;
  const options: ReadOptions = { exclude: settings.exclude, stdin };
  const textsAt = (some: readonly string[]) => readFiles(some, { ...options, missing: 'error' }, reports);
  const ofVersions = new Collector();
  const versions = isPackage ? undefined : readVersions(paths, settings, stdin, ofVersions);
  const isOnePackage = isPackage || (isUpgrade && settings.against === '' && !areVersions(versions, reports));
  const { before, after } =
    versions === undefined || isOnePackage
      ? { before: undefined, after: readInput(textsAt(paths), settings, readerWith(options), reports) }
      : versions;
  if (!isOnePackage) reports.addAll([...ofVersions, ...(versions?.ofBefore ?? [])]);
  const others = readStreams(textsAt(settings.instances), reports);
  // An error without a place is one of the command; others hide only what they are about.
  const isReadable = !reports.all.some((one) => isError(one) && one.source === undefined);
  const unread = versions?.files ?? [];
  const context = { met: unread, templates: after.templates ?? [], reports: reports.all };
  const { files: entries, documents: unparsed } = withFiles(NO_EVIDENCE, context);
  // A document that nobody can read may be an RGD or an instance.
  const opaque = versions?.before === undefined ? [] : unreadDocuments(after, versions.before, versions.names);
  const documents = [...unparsed, ...opaque];
  const failed = new Set(
    [...entries, ...documents].flatMap(({ file, outcome }) =>
      outcome.is === 'failed' && file !== undefined ? (versions?.names.after(file) ?? []) : [],
    ),
  );
  const isUnknown = ({ source }: InputObject): boolean =>
    source !== undefined && failed.has(versions?.names.before(source.file) ?? '');
  if (isUpgrade && isReadable) {
    const beside = { ...after, objects: [...after.objects, ...others] };
    // With a commit, what it has already is not reported again; OLD is under the earlier release.
    const older = settings.against === '' ? undefined : before;
    reports.addAll(compareSemantics(beside, settings, older).reports);
  }
  const found =
    isReadable && before !== undefined
      ? comparePackages(before, after, others, {
          ...settings,
          exceptions,
          isUnknown,
          ...(isUpgrade && { from: defaultSettings.kro }),
        })
      : undefined;
  reports.addAll(found?.reports ?? []);
  const { reports: changed = [], given = [], pending = [] } = found?.instances() ?? {};
  reports.addAll(unreadReports([...entries, ...opaque], settings.strict));
  const isAccepted = ({ code, severity }: (typeof reports.all)[number]): boolean =>
    SHOWN.includes(code) || (code === 'breaking-change' && severity === 'warning');
  const shown = reports.all.filter((one) => isError(one) || (!settings.quiet && (settings.verbose || isAccepted(one))));
  const files = lookedAt(after, reports.all);
  const isText = printedFormat(invocation) === 'text';
  const rendered = { all: pending.length, named: pending };
  const evidence: Evidence = { ...NO_EVIDENCE, files: entries, documents, given, rendered };
  const failsOn: FailsOn[] = settings.strict || settings.failOn.includes('unknown') ? ['unknown'] : [];
  const errors = [...reports, ...changed].filter(isError).length;
  const judgement = judge(evidence, { errors, warnings: 0 }, failsOn);
  const isFatal = judgement.isRefused || (settings.failOn.includes('danger') && changed.some(isDanger));
  const diagnostics = inFileOrder(
    toDiagnostics(isText ? shown : [...shown, ...changed]),
    files.map(({ file }) => file),
  );
  const reported = { diagnostics, files, sources: textsByFile(reports.all), evidence };
  const table = (input: ReportInput): string =>
    `${instanceTable(changed)}${writeReport('text', { ...input, inTable: toDiagnostics(changed) })}`;
  const unwritten = accountFor(evidence, judgement, invocation);
  const code = concludeReport(invocation, reported, isFatal ? exitCode.input : exitCode.ok, table);
  return unwritten.length > 0 ? conclude(invocation, unwritten) : code;
}
