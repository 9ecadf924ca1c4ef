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
import { readInput } from '../authoring/input/index.ts';
import { type ReportInput, writeReport } from '../authoring/reports/index.ts';
import { inFileOrder, lookedAt } from '../authoring/validate/index.ts';
import { Collector, isError, type Report } from '../core/diagnostics/index.ts';
import { textsByFile } from '../core/model/object.ts';
import { defaultSettings, flag, list } from '../render/options/index.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forChecks, type Invocation } from './command.ts';
import { concludeReport, printedFormat, refuse, reportFormat } from './conclude.ts';
import { holdsData } from './diff.ts';
import { type ReadOptions, readFiles } from './files.ts';
import { readerWith } from './gather.ts';
import { exitCode } from './output.ts';
import { against, faultInVersions, readVersions } from './versions.ts';

const own = {
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
  group: 'Check',
  usage: 'OLD NEW | PATH... --against REF | PATH... --kro 0.10 [options]',
  summary: 'Find changes of RGDs, or of kro itself, that break instances; OLD or NEW may be -, standard input.',
  examples: [
    ['compat main/platform platform', 'Compares two versions of RGDs.'],
    ['compat platform --against main', 'Compares the working tree with a branch of git.'],
    ['compat old.yaml new.yaml --instances apps/', 'Names the instances in apps/ that a change breaks.'],
    ['compat old.yaml new.yaml --conservative', 'Counts what kro 0.10 may refuse.'],
    ['compat platform apps --kro 0.10', 'Shows what the upgrade to kro 0.10 changes.'],
  ],
  own,
  ...forChecks,
  run: compareSchemas,
});

async function compareSchemas(invocation: Invocation<typeof own>): Promise<number> {
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
