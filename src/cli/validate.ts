import { explorePackage } from '../check/explore/index.ts';
import { lintCodes } from '../check/lint/index.ts';
import { countsOf, unreadReports } from '../check/reports/index.ts';
import { applyRules } from '../check/rules/index.ts';
import { inFileOrder, isOnlyPending, lookedAt, textsIn, validatePackage, withFiles } from '../check/validate/index.ts';
import {
  codes,
  condenseWith,
  counted,
  type Diagnostic,
  type Foldable,
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
import { textsByFile } from '../core/model/object.ts';
import { didYouMean } from '../core/text/nearest.ts';
import { pathsBeside } from '../describe/input/index.ts';
import { choice, flag, list, text } from '../render/options/index.ts';
import { withoutEarlier } from '../render/rerender/index.ts';
import { diagnosticsOf, type ReportedDiagnostic } from '../yaml/locate/index.ts';
import { acceptAll, acceptedIn, type Baseline, coverageOf, readBaselineFile, rewritten } from './baseline.ts';
import { policyOptions } from './check-options.ts';
import { defineCommand, forChecks, type Invocation } from './command.ts';
import { type Gathered, gather } from './files.ts';
import { fixesFor, fixFiles, fixOptions } from './fix.ts';
import { notCheckedOut } from './git/missing.ts';
import { accountFor, ledgerOptions } from './ledger.ts';
import { MetFiles } from './met-files.ts';
import { conclude, concludeReport, exitCode, type Reported, refuse, reportedAs } from './output.ts';
import { readPolicyFiles, readSettings, SETTINGS_FILE } from './settings-file.ts';
import { watch } from './watch.ts';
import { writeText } from './write/index.ts';

const validateOptions = {
  output: reportedAs,
  failOn: choice(
    ['error', 'warning', 'unknown'],
    'Exit with 1 if there is a diagnostic of this severity or a higher one; unknown: if something was not looked at.',
  ),
  disable: list('CODE', 'Disable this lint; a wrong name lists them.', {
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
  ...fixOptions,
  explore: flag(
    'Also generate instances of each RGD, and report those that its schema accepts and that do not render or that an API server rejects.',
  ),
  watch: flag('Run again whenever a file changes.'),
};

export const validate = defineCommand({
  own: validateOptions,
  ...forChecks,
  needs: [1, 'a PATH; - reads standard input'],
  run: async (invocation) => {
    const { settings, paths, io } = invocation;
    const unknown = settings.disable.find((code) => !lintCodes.some((one) => one === code));
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, lintCodes, 1) ?? `the lints are ${lintCodes.join(', ')}`;
      return refuse(`--disable: unknown lint '${unknown}'; ${hint}`, invocation);
    }
    if (settings.acceptNew !== '' && settings.accept === '') {
      return refuse('--accept-new needs --accept FILE, which it writes', invocation);
    }
    const ended = await fixFiles(invocation);
    if (ended !== undefined) return ended;
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
  const gathered = await gather(invocation, { met, skipsOutputs: true, reportsIgnored: true });
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
  invocation: Invocation<typeof validateOptions>,
): Found {
  const { settings, paths, io } = invocation;
  const rules = readSettings(paths, settings.config, reports, readOptions.within);
  const input = { ...read, policies: readPolicyFiles(settings.policies, rules, readOptions, reports) };
  io.progress(`validating ${counted(input.objects.length, 'document')} ...`);
  const clean = withoutEarlier(input);
  const { reports: validated, evidence } = validatePackage(clean, settings);
  const found = settings.explore ? [...validated, ...explorePackage(clean, settings).reports] : validated;
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
    file: SETTINGS_FILE,
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
    fixesOf: fixesFor(invocation),
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
