import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ReportInput, unreadReports, writeReport } from '../check/reports/index.ts';
import { inFileOrder, lookedAt, withFiles } from '../check/validate/index.ts';
import {
  CHANGE_NAMES,
  type CompatException,
  comparePackages,
  compareReleases,
  compareSemantics,
  compatJson,
  excessOf,
  faultInName,
  type InstanceChanges,
  instanceTable,
  isDanger,
  parseException,
  releaseNamed,
  rgdNamesIn,
  type Verdict,
  verdictMarkdown,
  verdictText,
  withReleaseFindings,
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
  told,
  trusted,
  unplaced,
  withoutConsequences,
} from '../core/diagnostics/index.ts';
import { type Entry, type Evidence, type FailsOn, judge, ledgerValue, NO_EVIDENCE } from '../core/ledger/index.ts';
import { type InputObject, textsByFile } from '../core/model/object.ts';
import {
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  NEWEST_KUBERNETES,
  PLANNED_KUBERNETES,
  type RenderInput,
} from '../core/model/render.ts';
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
import { compareWithRelease } from './other-release.ts';
import {
  conclude,
  concludePartly,
  concludeReport,
  exitCode,
  type OwnWriters,
  painter,
  printedAs,
  printedFormat,
  refuse,
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
  return settings.against === ''
    ? readBoth(paths, settings, options, reports)
    : readCommitted(paths, settings, options, reports);
}

/** Reads the files of one version, and notes in `met` what happened to each. */
function readVersion(
  paths: readonly string[],
  settings: VersionSettings,
  options: ReadOptions,
  met: MetFiles,
  reports: Collector,
): RenderInput {
  const missing = settings.allowEmpty ? undefined : 'error';
  const texts = readFiles(paths, { ...options, missing, met }, reports);
  return readInput(texts, settings, readerWith(options), reports);
}

/** Reads OLD and NEW. */
function readBoth(
  [old = '', newer = '']: readonly string[],
  settings: VersionSettings,
  options: ReadOptions,
  reports: Collector,
): Versions {
  const { first, second } = createSharedReaders();
  const ofBefore = new Collector();
  const metBefore = new MetFiles();
  const before = readVersion([old], settings, { ...options, parse: first }, metBefore, ofBefore);
  const met = new MetFiles();
  const after = readVersion([newer], settings, { ...options, parse: second }, met, reports);
  const names = namesBelow(old, newer);
  return { before, after, ofBefore, names, files: filesOfVersions(metBefore.entries, met.entries, names) };
}

/** Reads the paths as they are, and as they were in a commit. */
function readCommitted(
  paths: readonly string[],
  settings: VersionSettings,
  options: ReadOptions,
  reports: Collector,
): Versions {
  const { first, second } = createSharedReaders();
  const met = new MetFiles();
  const after = readVersion(paths, settings, { ...options, parse: first }, met, reports);
  met.recordMissing(notCheckedOut(paths));
  const { against, definitions, observed, openapi } = settings;
  const openapiPaths = openapi === '' ? [] : [openapi];
  const ofBefore = new Collector();
  const checkout = checkOut(against, [...paths, ...definitions, ...observed, ...openapiPaths], reports);
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
    if (paths.some(isThere)) {
      const isNew = (path: string): boolean => !isThere(path) && existsSync(path);
      for (const path of definitions.filter(isNew)) reports.add(missingInCommit('definitions', path, against));
      for (const path of openapiPaths.filter(isNew)) reports.add(missingInCommit('openapi', path, against));
    }
    const own = new Collector();
    // Live objects are of the cluster, not of a commit: those that the commit does not have yet are those of the files.
    const live = observed.filter((path) => !isThere(path));
    const given = {
      ...settings,
      definitions: there(definitions),
      observed: there(observed),
      openapi: there(openapiPaths)[0] ?? '',
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

/** Returns the report of a path of an option that a commit does not have. */
function missingInCommit(option: 'definitions' | 'openapi', path: string, commit: string): Report {
  const message = told`--${{ option: trusted.argument(option) }} ${{ file: trusted.file(path) }}: ${{ version: trusted.file(commit) }} has no such file or folder with YAML or JSON`;
  const hint = composeText`if it is new or was renamed, check ${trusted.file(commit)} out with 'git worktree add' and compare the two folders`;
  return unplaced('unreadable-file', message, hint);
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
  kubernetes: text(
    'RELEASE',
    'Report what this release of Kubernetes does not serve or has deprecated; of a later one than the newest known, only planned removals.',
    { form: { pattern: /^1\.\d+$/, expected: 'a release of Kubernetes, such as 1.33' } },
  ),
  renderRgd: text(
    'VERSION|PROGRAM',
    'Compare what this other release of render-rgd renders: the path of its program, or a version of which render-rgd-VERSION is on the PATH. It is started. Nothing is downloaded.',
  ),
  output: printedAs(
    ['text', 'json', 'markdown', 'sarif', 'github', 'junit'],
    'The format of the verdict and the report.',
  ),
  require: choice(
    ['major', 'minor', 'patch'],
    'Exit with 1 if the change of an RGD is more than this; major accepts any.',
  ),
  requireLabel: text(
    'KEY',
    'Exit with 1 if the change of an RGD is more than the change of its semantic version, in this label or annotation.',
  ),
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
const SHOWN: readonly Report['code'][] = [
  'upgrade-change',
  'unchecked-change',
  'nothing-to-read',
  'planned-release',
  'lint-deprecated-api',
  'deprecated-field',
  'field-not-served',
];

/** `compat` has an option of this name, which has no default and accepts more releases. */
const { kubernetes: _, ...sharedByCompat } = forChecks.shared;

export const compat = defineCommand({
  own: compatOptions,
  ...forChecks,
  shared: sharedByCompat,
  run: (invocation) => {
    // The option has no default here: it asks for a comparison.
    const asked: string = invocation.settings.kubernetes;
    const release = releaseNamed(asked);
    if (asked !== '' && release === undefined) return refuse(unknownRelease(asked), invocation);
    const kubernetes = KUBERNETES_RELEASES.find((one) => one === release) ?? NEWEST_KUBERNETES;
    const given = { ...invocation, settings: { ...invocation.settings, kubernetes } };
    if (invocation.settings.renderRgd === '') return compareSchemas(given, release);
    const fault = faultBesideRelease(invocation);
    return fault === undefined ? compareWithRelease(given) : refuse(fault, invocation);
  },
});

/** Returns the error of options that compare something else than two releases of render-rgd. */
function faultBesideRelease({ settings, paths }: Invocation<typeof compatOptions>): string | undefined {
  const { against, kro, instances, allow, require, requireLabel, conservative, holdsData } = settings;
  // It has no default here: it asks for a comparison.
  const kubernetes: string = settings.kubernetes;
  const others = {
    '--against': against !== '',
    '--kubernetes': kubernetes !== '',
    '--kro': kro !== defaultSettings.kro,
    '--instances': instances.length > 0,
    '--allow': allow.length > 0,
    '--require': require !== 'major',
    '--require-label': requireLabel !== '',
    '--conservative': conservative,
    '--holds-data': holdsData.length > 0,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other !== undefined) return `--render-rgd and ${other} compare different things: give one of them`;
  if (paths.length === 0) return 'compat --render-rgd needs a PATH';
  return paths.includes('-') ? 'compat --render-rgd reads files: both releases read them' : undefined;
}

const unknownRelease = (asked: string): string =>
  `--kubernetes: nothing is known of Kubernetes ${asked}: known are ${KUBERNETES_RELEASES.at(-1)} to ${NEWEST_KUBERNETES}, and the planned removals until ${PLANNED_KUBERNETES[0]}`;

/**
 * Reports whether two inputs are versions of one package: they have an RGD of one name or kind. Two that both have RGDs
 * and none in common are a package, and that is said.
 */
function areVersions(versions: Versions, reports: Collector): boolean {
  const old = rgdNamesIn(versions.before?.objects ?? []);
  const newer = rgdNamesIn(versions.after.objects);
  if (old.length === 0 || newer.length === 0) return false;
  if (old.some((name) => newer.includes(name))) return true;
  const message = composeText`both paths have RGDs, and none in common: they are read as one package, and no update is compared`;
  reports.add(nothingFound(message));
  return false;
}

async function compareSchemas(
  invocation: Invocation<typeof compatOptions>,
  release: KubernetesRelease | undefined,
): Promise<number> {
  const { settings, paths } = invocation;
  const isUpgrade = settings.kro !== defaultSettings.kro;
  const mayBePackage = (isUpgrade || release !== undefined) && settings.against === '';
  const isPackage = mayBePackage && paths.length !== 2;
  const exceptions = settings.allow.map(parseException).filter((one): one is CompatException => one !== undefined);
  const fault = faultInPaths(paths, settings, isPackage) ?? faultInExceptions(exceptions);
  if (fault !== undefined) return refuse(fault, invocation);
  const reports = new Collector();
  const { versions, before, after, others } = await readCompared(invocation, { isPackage, mayBePackage }, reports);
  // An error without a place is one of the command; others hide only what they are about.
  const isReadable = !reports.all.some((one) => isError(one) && one.source === undefined);
  const unread = unreadParts(versions, after, reports.all);
  if (isUpgrade && isReadable) {
    const beside = { ...after, objects: [...after.objects, ...others] };
    // With a commit, what it has already is not reported again; OLD is under the earlier release.
    const older = settings.against === '' ? undefined : before;
    reports.addAll(compareSemantics(beside, settings, older).reports);
  }
  let ofRelease: readonly Report[] = [];
  if (release !== undefined && isReadable) {
    const beside = { ...after, objects: [...after.objects, ...others] };
    const older = settings.against === '' ? undefined : before;
    ofRelease = compareReleases(beside, { ...settings, kubernetes: release }, older);
    reports.addAll(ofRelease);
  }
  const found =
    isReadable && before !== undefined
      ? comparePackages(before, after, others, {
          ...settings,
          exceptions,
          isUnknown: unread.isUnknown,
          ...(isUpgrade && { from: defaultSettings.kro }),
        })
      : undefined;
  reports.addAll(found?.reports ?? []);
  reports.addAll(unreadReports([...unread.files, ...unread.opaque], settings.strict));
  const verdicts = withReleaseFindings(found?.verdicts() ?? [], ofRelease);
  reports.addAll(excessOf(verdicts, { require: settings.require, label: settings.requireLabel }));
  const changes = found?.instances() ?? NO_CHANGES;
  return concludeCompat(invocation, { reports: reports.all, after, unread, changes, verdicts });
}

/** What `compat` reads. */
interface ReadForCompat {
  /** The two versions; none if there is only one package. */
  versions: Versions | undefined;
  before: RenderInput | undefined;
  after: RenderInput;
  /** The documents of --instances. */
  others: RenderInput['objects'];
}

/** Reads two versions, or one package: with --kro or --kubernetes, two paths that are no versions are one package. */
async function readCompared(
  { settings, paths, io }: Invocation<typeof compatOptions>,
  { isPackage, mayBePackage }: { isPackage: boolean; mayBePackage: boolean },
  reports: Collector,
): Promise<ReadForCompat> {
  const named = [...paths, ...settings.instances, ...settings.definitions];
  const stdin = named.includes('-') ? await io.stdin() : undefined;
  const options: ReadOptions = { exclude: settings.exclude, stdin };
  const textsAt = (some: readonly string[]) => readFiles(some, { ...options, missing: 'error' }, reports);
  const ofVersions = new Collector();
  const versions = isPackage ? undefined : readVersions(paths, settings, stdin, ofVersions);
  if (versions === undefined || (mayBePackage && !areVersions(versions, reports))) {
    const after = readInput(textsAt(paths), settings, readerWith(options), reports);
    return { versions, before: undefined, after, others: readStreams(textsAt(settings.instances), reports) };
  }
  reports.addAll([...ofVersions, ...versions.ofBefore]);
  const others = readStreams(textsAt(settings.instances), reports);
  return { versions, before: versions.before, after: versions.after, others };
}

/** Returns the error of the paths of `compat`: with --kro or --kubernetes, they may also be one package. */
function faultInPaths(paths: readonly string[], settings: VersionSettings, isPackage: boolean): string | undefined {
  if (!isPackage) return faultInVersions('compat', paths, settings);
  const option = settings.kro === defaultSettings.kro ? '--kubernetes' : '--kro';
  return paths.length === 0 ? `compat ${option} needs a PATH` : undefined;
}

/** Returns the error of an exception that names a change that does not exist. */
function faultInExceptions(exceptions: readonly CompatException[]): string | undefined {
  const [unknown] = exceptions.flatMap(({ rule }) => faultInName(rule) ?? []);
  return unknown === undefined ? undefined : `--allow: ${unknown}`;
}

/** What of two versions was not read. */
interface UnreadParts {
  /** The outcomes of the files. */
  files: readonly Entry[];
  documents: readonly Entry[];
  /** The documents that nobody can read: each may be an RGD or an instance. */
  opaque: readonly Entry[];
  /** Returns whether an object of the older version is in a file that was not read whole in the newer one. */
  isUnknown: (object: InputObject) => boolean;
}

function unreadParts(versions: Versions | undefined, after: RenderInput, reports: readonly Report[]): UnreadParts {
  const context = { met: versions?.files ?? [], templates: after.templates ?? [], reports };
  const { files, documents: unparsed } = withFiles(NO_EVIDENCE, context);
  const opaque = versions?.before === undefined ? [] : unreadDocuments(after, versions.before, versions.names);
  const documents = [...unparsed, ...opaque];
  const failed = new Set(
    [...files, ...documents].flatMap(({ file, outcome }) =>
      outcome.is === 'failed' && file !== undefined ? (versions?.names.after(file) ?? []) : [],
    ),
  );
  return {
    files,
    documents,
    opaque,
    isUnknown: ({ source }) => source !== undefined && failed.has(versions?.names.before(source.file) ?? ''),
  };
}

const NO_CHANGES: InstanceChanges = { reports: [], given: [], pending: [] };

/** What `compat` found. */
interface Compared {
  reports: readonly Report[];
  after: RenderInput;
  unread: UnreadParts;
  changes: InstanceChanges;
  verdicts: readonly Verdict[];
}

/** Prints what `compat` found, writes its ledger, and returns the exit code. */
function concludeCompat(
  invocation: Invocation<typeof compatOptions>,
  { reports, after, unread, changes, verdicts }: Compared,
): number {
  const { settings } = invocation;
  const { reports: changed, given, pending } = changes;
  const isAccepted = ({ code, severity }: Report): boolean =>
    SHOWN.includes(code) || (code === 'breaking-change' && severity === 'warning');
  const shown = reports.filter((one) => isError(one) || (!settings.quiet && (settings.verbose || isAccepted(one))));
  const files = lookedAt(after, reports);
  const printed = printedFormat(invocation);
  // Tables are for people, and a JSON object has all of it.
  const isForPeople = printed === 'text' || printed === 'markdown';
  const rendered = { all: pending.length, named: pending };
  const evidence: Evidence = { ...NO_EVIDENCE, files: unread.files, documents: unread.documents, given, rendered };
  const failsOn: FailsOn[] = settings.strict || settings.failOn.includes('unknown') ? ['unknown'] : [];
  const errors = [...reports, ...changed].filter(isError).length;
  const judgement = judge(evidence, { errors, warnings: 0 }, failsOn);
  const isFatal = judgement.isRefused || (settings.failOn.includes('danger') && changed.some(isDanger));
  const diagnostics = inFileOrder(
    toDiagnostics(isForPeople ? shown : [...shown, ...changed]),
    files.map(({ file }) => file),
  );
  const reported = { diagnostics, files, sources: textsByFile(reports), evidence };
  const table = (input: ReportInput): string =>
    `${verdictText(verdicts, painter(invocation))}${instanceTable(changed)}${writeReport('text', { ...input, inTable: toDiagnostics(changed) })}`;
  const unwritten = accountFor(evidence, judgement, invocation);
  const own: OwnWriters = {
    markdown: () => verdictMarkdown(verdicts),
    json: () => compatJson(verdicts, diagnostics, ledgerValue(evidence, judgement)),
  };
  const code = concludeReport(invocation, reported, isFatal ? exitCode.input : exitCode.ok, table, own);
  return unwritten.length > 0 ? conclude(invocation, unwritten) : code;
}
