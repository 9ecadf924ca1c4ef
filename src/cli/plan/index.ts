import { relative, resolve } from 'node:path';
import { applyRules } from '../../check/rules/index.ts';
import { hiddenTitleOfReviewed } from '../../compare/review/index.ts';
import { Collector, codes, composeText, type HiddenTitle, isError, type Report } from '../../core/diagnostics/index.ts';
import { type FailsOn, judge, ledgerValue } from '../../core/ledger/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { ownValue, type ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import {
  acceptDangers,
  DANGERS,
  distinctDangers,
  type Files,
  LINK_PATTERN,
  type Plan,
  type PlannedDanger,
  type PlanOptions,
  planChange,
  planEvidence,
  planHtml,
  planJson,
  planMarkdown,
  planText,
  type RenderedApplication,
  type RunTool,
  renderRepository,
  titleOfApplication,
} from '../../gitops/plan/index.ts';
import { flag, list, sharedOptions, text } from '../../render/options/index.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { holdsData, policyOptions } from '../check-options.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { realPath, slashed } from '../file-system.ts';
import { type GitVersions, readVersionsOf } from '../git/versions.ts';
import { accountFor, ledgerOptions } from '../ledger.ts';
import { conclude, exitCode, painter, printedAs, refuse } from '../output.ts';
import { readPolicyFiles, readSettings } from '../settings-file.ts';
import { type TreeSettings, treeFault, writeTree } from '../tree/index.ts';
import { against, conservative } from '../versions.ts';
import type { Output, Scratch } from '../write/index.ts';
import { toolsIn } from './tools.ts';

const { acceptPrune, all, ...shared } = sharedOptions;
const own = {
  against,
  againstExact: text('REF', 'Compare with this commit itself, and not with the one where HEAD left it.', {
    completes: 'refs',
  }),
  targetBranch: text(
    'BRANCH',
    'The branch that the change is for; by default that of the pull request in CI, or of --against.',
    {
      completes: 'refs',
    },
  ),
  output: printedAs(['text', 'json', 'markdown', 'html']),
  exitCode: flag('Exit with 1 when an object changes, and with 2 for errors.'),
  failOn: list('WHAT', 'Exit with 1 also if there is a danger, or if an application that may change is not compared.', {
    each: { pattern: /^(error|danger|unknown)$/, expected: 'error, danger or unknown' },
    completes: ['error', 'danger', 'unknown'],
  }),
  allowUnknown: list('NAME', 'An application that need not be compared, with --fail-on unknown.'),
  disable: list('CODE', 'Do not look for this danger; a wrong name lists them.', {
    each: {
      pattern: /^(danger-[a-z-]+|breaking-change|unchecked-change)$/,
      expected: 'danger-NAME, breaking-change or unchecked-change',
    },
    completes: [...DANGERS],
  }),
  allowExec: flag('Run kustomize and helm where only they build an application, and what the repository has them run.'),
  allowRemote: flag('Let kustomize fetch what the repository names, with --allow-exec.'),
  allowDir: list(
    'DIR=PATH',
    'A folder that the plugin may read, with --allow-dir there, and where its files are here.',
    {
      each: { pattern: /^\/[^=]*=.*$/su, expected: '/DIR=PATH' },
    },
  ),
  allowOutwardLinks: flag('Argo CD has reposerver.allow.oob.symlinks: links may leave the repository.'),
  repoUrl: list('URL', 'A URL of this repository, beside those of its remotes.'),
  linkFile: text('URL', 'Links files in Markdown and HTML: a URL with {path} and {line}.'),
  linkChange: text(
    'URL',
    'Links changed lines: a URL of the pull request with {path}, {sha256} or {sha1}, and {line}.',
  ),
  holdsData,
  conservative,
  ...policyOptions,
  ...ledgerOptions,
  outputDir: text(
    'DIR',
    'Compare nothing, and write the objects of each application to a folder of its own below this one.',
  ),
  check: flag('Write nothing to --output-dir, and fail with the list of files that are out of date.'),
  force: flag('Overwrite edited and conflicting files of --output-dir.'),
};

export const plan = defineCommand({
  own,
  shared,
  ignored: { acceptPrune, all },
  run: planRepository,
});

function planRepository(invocation: Invocation<typeof own>): number {
  const { settings, paths } = invocation;
  const [root = '.', second] = paths;
  if (second !== undefined) return refuse('plan takes one ROOT', invocation);
  const fault = faultOf(settings);
  if (fault !== undefined) return refuse(fault, invocation);
  const unknown = settings.disable.find((code) => !Object.hasOwn(codes, code));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, Object.keys(codes), 1);
    return refuse(`--disable: unknown code '${unknown}'${hint === undefined ? '' : `; ${hint}`}`, invocation);
  }
  const reports = new Collector();
  const ref = settings.againstExact || settings.against || 'HEAD';
  const versions = readVersionsOf(root, ref, reports, settings.againstExact === '' ? 'merge base' : 'ref');
  const rules = readSettings([root], '', reports);
  const readOptions = { exclude: settings.exclude };
  const policies = readPolicyFiles(settings.policies, rules, readOptions, reports);
  const ended = (code: number): number => (settings.exitCode && code === exitCode.input ? exitCode.usage : code);
  if (versions === undefined || reports.hasErrors) return ended(conclude(invocation, reports.all));
  let written: Scratch | undefined;
  const folderBefore = (): string => {
    written ??= versions.writeBefore();
    return written.folder;
  };
  const toolsOf = (folder: () => string): RunTool => toolsIn(folder, versions.root, settings.allowRemote);
  const run = settings.allowExec ? { before: toolsOf(folderBefore), after: toolsOf(() => versions.root) } : undefined;
  const { allowDir, allowOutwardLinks, holdsData, conservative } = settings;
  const given = { allowDir, allowOutwardLinks, holdsData, conservative, urls: [...versions.urls, ...settings.repoUrl] };
  const revisions = revisionsOf(settings.targetBranch, versions);
  const options = { ...given, settings: { ...settings, all: false }, tags: versions.tags, revisions };
  if (settings.outputDir !== '') {
    return conclude(invocation, [...reports.all, ...writeApplications(versions, settings, options, run?.after)]);
  }
  try {
    const found = planChange({ ...versions, run, policies }, options);
    const isShown = (danger: PlannedDanger): boolean =>
      !settings.disable.includes(danger.code) &&
      applyRules(toDiagnostics([reportOf(danger)]), new Map(), rules).length > 0;
    const shown = { ...found, dangers: found.dangers.filter(isShown) };
    const accepted = acceptDangers(shown, rules.accepted ?? []);
    return concludePlan(invocation, accepted.plan, [...reports.all, ...accepted.reports], ended);
  } finally {
    written?.remove();
  }
}

/** The variables in which CI systems name the branch of a pull request. */
const TARGETS = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'CHANGE_TARGET',
  'BITBUCKET_PR_DESTINATION_BRANCH',
];

/** Returns what is known of the branch that a change is for: of two branches, a change of the current one is for the default. */
function revisionsOf(
  given: string,
  { branches: { remote, current, ref } }: Pick<GitVersions, 'branches'>,
): PlanOptions['revisions'] & {} {
  const inCi = TARGETS.map((name) => ownValue(process.env, name) ?? '').find((name) => name !== '');
  const target = given || inCi || ref || remote || current;
  return { ...(target !== undefined && { target }), ...(remote !== undefined && { defaultBranch: remote }) };
}

function faultOf(settings: Invocation<typeof own>['settings']): string | undefined {
  const { againstExact, outputDir } = settings;
  const against = settings.against || againstExact;
  if (settings.against !== '' && againstExact !== '') return '--against and --against-exact exclude each other';
  if (against !== '' && outputDir !== '') return '--against compares, and --output-dir writes: give one of them';
  if (against === '' && outputDir === '') return 'plan needs --against REF or --output-dir DIR';
  for (const url of [settings.linkFile, settings.linkChange]) {
    if (url !== '' && !LINK_PATTERN.test(url)) return `--link-file and --link-change need an http URL, got '${url}'`;
  }
  return treeFault({ ...settings, layout: '', output: 'yaml' });
}

function concludePlan(
  invocation: Invocation<typeof own>,
  found: Plan,
  reports: readonly Report[],
  ended: (code: number) => number,
): number {
  const { settings } = invocation;
  // The output contains dangers and unrendered applications; a report for programs needs them too.
  const beside = settings.report.length > 0 ? [...annotated(found, settings.report), ...foreignReports(found)] : [];
  const evidence = planEvidence(found, settings.allowUnknown);
  const failsOn: FailsOn[] = settings.failOn.includes('unknown') ? ['unknown'] : [];
  const errors = [...reports, ...found.reports].filter(isError).length;
  const judgement = judge(evidence, { errors, warnings: 0 }, failsOn);
  const failures = [...reports, ...found.reports, ...accountFor(evidence, judgement, invocation)];
  const output = outputOf(found, ledgerValue(evidence, judgement), invocation);
  const code = conclude({ ...invocation, most: MOST_ANNOTATIONS }, [...failures, ...beside], () => output);
  if (code !== exitCode.ok) {
    // The rest of the output is valid, and lists the other changes.
    invocation.io.stdout(output);
    return ended(code);
  }
  const isOpen = found.dangers.some(({ accepted }) => accepted === undefined);
  if (settings.failOn.includes('danger') && isOpen) return exitCode.input;
  if (judgement.isRefused) return exitCode.input;
  return settings.exitCode && found.applications.some(({ changes }) => changes.length > 0) ? exitCode.input : code;
}

/** GitHub shows this many for a step; the comment has all of them. */
const MOST_ANNOTATIONS = 10;

/** Returns the dangers; for annotations only the first of those that differ in their object. */
const annotated = (found: Plan, formats: readonly string[]): Report[] =>
  formats.every((format) => format === 'github')
    ? distinctDangers(found).flatMap(({ dangers: [first], text }) =>
        first === undefined ? [] : [{ ...reportOf(first), object: composeText``, message: text }],
      )
    : found.dangers.map(reportOf);

function outputOf(found: Plan, ledger: ValueMap, invocation: Invocation<typeof own>): Output {
  const { output, linkFile: file, linkChange: change } = invocation.settings;
  const links = { file, change };
  if (output === 'json') return [planJson(found, ledger)];
  if (output === 'markdown') return [planMarkdown(found, links)];
  if (output === 'html') return [planHtml(found, links)];
  return [planText(found, painter(invocation))];
}

function reportOf({ code, application, message, at, accepted }: PlannedDanger): Report {
  return {
    code,
    severity: accepted === undefined ? 'warning' : 'info',
    object: titleOfApplication(application),
    message,
    path: at?.path ?? [],
    ...(at && { source: at.source }),
  };
}

const foreignReports = ({ applications }: Plan): Report[] =>
  applications.flatMap(({ application, error, isForeign }): Report[] => {
    if (error === undefined || !isForeign) return [];
    const object = titleOfApplication(application);
    return [{ code: 'application-not-rendered', severity: 'warning', object, message: error, path: [] }];
  });

const LAYOUT = '{folder}/{namespace}/{kind}-{name}.yaml';

/** An application that is not rendered, or has an error, keeps the files of an earlier run. */
function writeApplications(
  { root, after }: { root: string; after: Files },
  settings: Omit<TreeSettings, 'layout' | 'output'>,
  options: PlanOptions,
  run: RunTool | undefined,
): Report[] {
  const applications = renderRepository(withoutFolder(after, root, settings.outputDir), options, run);
  const held = applications.filter(({ error }) => error !== undefined);
  const found = [...applications.flatMap(({ reports }) => reports), ...held.flatMap(heldReports)];
  if (held.length > 0 && held.length === applications.length) return found;
  const items = applications.flatMap(({ folder, objects }) =>
    objects.map(({ object }) => ({ object, instance: '', folder })),
  );
  const nameless = lazily(
    () =>
      new Map(
        applications.flatMap(({ objects }) => objects.map((one) => [one.object, hiddenTitleOfReviewed(one)] as const)),
      ),
  );
  const hasSecretName = (object: KubeObject): HiddenTitle => nameless().get(object) ?? false;
  const isBelow = (path: string, those: readonly RenderedApplication[]): boolean =>
    those.some(({ folder }) => path.startsWith(`${folder}/`));
  // A folder of an earlier run may be that of an application that one without a result declares.
  const isKept = held.some(({ hidesOthers }) => hidesOthers);
  const isHeld = (path: string): boolean => isBelow(path, held) || (isKept && !isBelow(path, applications));
  return [...found, ...writeTree(items, { ...settings, layout: LAYOUT, output: 'yaml', isHeld }, hasSecretName)];
}

/** An application with errors of its own has reported them. */
function heldReports({ application, error = composeText``, isForeign, reports }: RenderedApplication): Report[] {
  if (!isForeign && reports.some(isError)) return [];
  const [code, severity] = isForeign
    ? (['application-not-rendered', 'warning'] as const)
    : (['tree-clash', 'error'] as const);
  return [{ code, severity, object: titleOfApplication(application), message: error, path: [] }];
}

function withoutFolder(files: Files, root: string, folder: string): Files {
  const path = resolve(folder);
  const below = `${slashed(relative(realPath(root) ?? root, realPath(path) ?? path))}/`;
  return { ...files, paths: files.paths.filter((file) => !file.startsWith(below)) };
}
