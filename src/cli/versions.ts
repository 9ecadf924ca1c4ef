import { existsSync } from 'node:fs';
import {
  CHANGE_NAMES,
  type CompatException,
  comparePackages,
  compareSemantics,
  faultInName,
  instanceTable,
  isDanger,
  parseException,
} from '../authoring/compat/index.ts';
import {
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  diffPackages,
  KIND_PATTERN,
} from '../authoring/diff/index.ts';
import { type FoundText, pathsBeside, readInput } from '../authoring/input/index.ts';
import { type ReportInput, writeReport } from '../authoring/reports/index.ts';
import { inFileOrder, lookedAt } from '../authoring/validate/index.ts';
import {
  Collector,
  composeText,
  isError,
  joinReports,
  mapText,
  type Report,
  trusted,
  unplaced,
} from '../core/diagnostics/index.ts';
import { textsByFile } from '../core/model/object.ts';
import type { RenderInput } from '../core/model/render.ts';
import {
  defaultSettings,
  flag,
  list,
  type Settings,
  type SettingsOf,
  sharedOptions,
  text,
} from '../render/options/index.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { createSharedReaders, readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forChecks, type Invocation } from './command.ts';
import { type ReadOptions, readerWith, readFiles } from './files.ts';
import { type Checkout, checkOut } from './git/index.ts';
import {
  conclude,
  concludeReport,
  exitCode,
  painter,
  printedAs,
  printedFormat,
  refuse,
  reportFormat,
} from './output.ts';
import { policyOptions, readPolicyFiles, readSettings } from './settings.ts';

/** The option of commands that compare two versions. */
export const against = text(
  'REF',
  'Compare with the files of a git commit: a branch, a tag or a hash. The working tree does not change.',
  { completes: 'refs' },
);
type VersionSettings = Settings & SettingsOf<{ against: typeof against }>;

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

/** The older and the newer version; a missing one was reported. */
interface Versions {
  before: RenderInput | undefined;
  after: RenderInput | undefined;
  /** The diagnostics of reading the older one. */
  ofBefore: Collector;
}

/** Reads two paths, or the paths of a commit and of the working tree. */
function readVersions(
  paths: readonly string[],
  settings: VersionSettings,
  stdin: ReadOptions['stdin'],
  reports: Collector,
): Versions {
  const options: ReadOptions = { exclude: settings.exclude, stdin };
  const ofBefore = new Collector();
  const { first, second } = createSharedReaders();
  const read = (some: readonly string[], own: Collector, parse: ReadOptions['parse']): RenderInput => {
    const texts = readFiles(some, { ...options, missing: settings.allowEmpty ? undefined : 'error' }, reports);
    return readInput(texts, settings, readerWith({ ...options, parse }), own);
  };
  if (settings.against === '') {
    const [old = '', newer = ''] = paths;
    return { before: read([old], ofBefore, first), after: read([newer], reports, second), ofBefore };
  }
  const after = read(paths, reports, first);
  const beside = [...settings.definitions, ...settings.observed, settings.openapi].filter((path) => path !== '');
  const checkout = checkOut(settings.against, [...paths, ...beside], reports);
  if (checkout === undefined) return { before: undefined, after, ofBefore };
  try {
    reportMissing(checkout, paths, settings, reports);
    return { before: readCheckout(checkout, paths, settings, ofBefore, second), after, ofBefore };
  } finally {
    checkout.remove();
  }
}

/** Reports missing definitions of the older version, without which all of the newer one would be added. */
function reportMissing(
  { at }: Checkout,
  paths: readonly string[],
  { against, definitions, observed, openapi }: VersionSettings,
  reports: Collector,
): void {
  if (!paths.some((path) => existsSync(at(path)))) return;
  const named = { definitions, observed, openapi: openapi === '' ? [] : [openapi] };
  for (const [option, all] of Object.entries(named))
    for (const path of all.filter((one) => !existsSync(at(one)) && existsSync(one))) {
      const message = composeText`--${trusted.argument(option)} ${trusted.file(path)}: ${trusted.file(against)} has no such file or folder with YAML or JSON`;
      const hint = composeText`if it is new or was renamed, check ${trusted.file(against)} out with 'git worktree add' and compare the two folders`;
      reports.add(unplaced('unreadable-file', message, hint));
    }
}

/** A path that did not exist yet is empty. */
function readCheckout(
  checkout: Checkout,
  paths: readonly string[],
  settings: VersionSettings,
  reports: Collector,
  parse: ReadOptions['parse'],
): RenderInput {
  const there = (some: readonly string[]): string[] => some.map(checkout.at).filter((path) => existsSync(path));
  const own = new Collector();
  const options: ReadOptions = { exclude: settings.exclude, parse };
  const [openapi = ''] = settings.openapi === '' ? [] : there([settings.openapi]);
  const [definitions, observed] = [there(settings.definitions), there(settings.observed)];
  const at: VersionSettings = { ...settings, definitions, observed, openapi };
  const renamed = <Named extends { file: string }>(one: Named): Named => ({ ...one, file: checkout.nameOf(one.file) });
  const texts: FoundText[] = readFiles(there(paths), options, own);
  const input = readInput(texts, at, readerWith(options), own);
  for (const report of own) {
    const message = mapText(report.message, (one) => one.replaceAll(`${checkout.folder}/`, `${settings.against}:`));
    reports.add({ ...report, message, ...(report.source && { source: renamed(report.source) }) });
  }
  const named = (objects: RenderInput['objects'] = []): RenderInput['objects'] =>
    objects.map((one) => (one.source === undefined ? one : { ...one, source: renamed(one.source) }));
  return {
    ...input,
    objects: named(input.objects),
    definitions: named(input.definitions),
    observed: named(input.observed),
  };
}

const { acceptPrune, ...shared } = sharedOptions;
export const holdsData = list(
  'KIND.GROUP',
  'A kind whose objects lose data when they are deleted, beside those that are known.',
  { each: { pattern: KIND_PATTERN, expected: 'Kind.group, with * for any part of it' } },
);

const diffOptions = {
  against,
  output: printedAs(['text', 'json', 'markdown']),
  exitCode: flag('Exit with 1 when something differs, and with 2 for errors.'),
  holdsData,
  ...policyOptions,
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
  const { before, after: read, ofBefore } = readVersions(paths, settings, stdin, reports);
  const rules = readSettings(paths.slice(-1), '', reports);
  const policies = readPolicyFiles(settings.policies, rules, { exclude: settings.exclude, stdin }, reports);
  const after = read && { ...read, policies };
  const ended = (code: number): number => (settings.exitCode && code === exitCode.input ? exitCode.usage : code);
  if (before === undefined || after === undefined || reports.hasErrors) {
    return ended(conclude(invocation, [...ofBefore, ...reports]));
  }
  const { comparison, reports: found } = diffPackages(before, after, settings, undefined, ofBefore.all);
  const code = conclude(invocation, joinReports([reports.all, found], 'versions'), () => {
    if (settings.output === 'json') return [comparisonJson(comparison)];
    if (settings.output === 'markdown') return [comparisonMarkdown(comparison)];
    return [comparisonText(comparison, painter(invocation))];
  });
  if (code !== exitCode.ok) return ended(code);
  return settings.exitCode && comparison.changes.length > 0 ? exitCode.input : code;
}

const compatOptions = {
  against,
  output: reportFormat,
  instances: list('PATH', 'Also report what a change does to the instances below this path, and to their objects.'),
  failOn: list('WHAT', 'Exit with 1 also if a change is dangerous for an object of an instance.', {
    each: { pattern: /^(error|danger)$/, expected: 'error or danger' },
    completes: ['error', 'danger'],
  }),
  holdsData,
  conservative: flag(
    'Report every change that may break an instance, as kro 0.10 does with the feature gate ConservativeCRDComparison.',
  ),
  allow: list(
    'CHANGE[:FIELD]=REASON',
    'Accept a breaking change, such as property-removed, of any field or of this one and those below it.',
    {
      each: { pattern: /^([a-z-]+|\*)(:[^=]+)?=.*\S.*$/su, expected: 'CHANGE=REASON or CHANGE:FIELD=REASON' },
      completes: CHANGE_NAMES,
    },
  ),
};

export const compat = defineCommand({
  own: compatOptions,
  ...forChecks,
  run: compareSchemas,
});

async function compareSchemas(invocation: Invocation<typeof compatOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const isUpgrade = settings.kro !== defaultSettings.kro;
  const fault =
    isUpgrade && settings.against === ''
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
  const { before, after, ofBefore } =
    isUpgrade && settings.against === ''
      ? {
          before: undefined,
          after: readInput(textsAt(paths), settings, readerWith(options), reports),
          ofBefore: new Collector(),
        }
      : readVersions(paths, settings, stdin, reports);
  reports.addAll(ofBefore.all);
  const others = readStreams(textsAt(settings.instances), reports);
  let changed: readonly Report[] = [];
  if (isUpgrade && !reports.hasErrors && after !== undefined) {
    const beside = { ...after, objects: [...after.objects, ...others] };
    reports.addAll(compareSemantics(beside, settings, before).reports);
  } else if (!reports.hasErrors && before !== undefined && after !== undefined) {
    const found = comparePackages(before, after, others, { ...settings, exceptions });
    reports.addAll(found.reports);
    changed = found.instances();
  }
  // `validate` reports other diagnostics of the versions than those of their schemas.
  const isAccepted = ({ code, severity }: Report): boolean =>
    code === 'upgrade-change' || code === 'nothing-to-read' || (code === 'breaking-change' && severity === 'warning');
  const shown = reports.all.filter((one) => isError(one) || (!settings.quiet && (settings.verbose || isAccepted(one))));
  const files = after === undefined ? [] : lookedAt(after, reports.all);
  const isText = printedFormat(invocation) === 'text';
  const isFatal =
    reports.hasErrors || changed.some(isError) || (settings.failOn.includes('danger') && changed.some(isDanger));
  const diagnostics = inFileOrder(
    toDiagnostics(isText ? shown : [...shown, ...changed]),
    files.map(({ file }) => file),
  );
  const reported = { diagnostics, files, sources: textsByFile(reports.all) };
  const table = (input: ReportInput): string => `${instanceTable(changed)}${writeReport('text', input)}`;
  return concludeReport(invocation, reported, isFatal ? exitCode.input : exitCode.ok, table);
}
