import { condense, type Report, wanted } from '../diagnostics/index.ts';
import { lintCodes } from '../lint/index.ts';
import { toDiagnostics } from '../locate/index.ts';
import { parseArguments, type Settings } from '../options/index.ts';
import { countsOf, type ReportInput } from '../reports/index.ts';
import { withoutEarlier } from '../rerender/index.ts';
import { didYouMean } from '../text/nearest.ts';
import { inFileOrder, lookedAt, validatePackage } from '../validate/index.ts';
import { type Gathered, gather, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { reportTargets, writeReports } from './report.ts';
import { watch } from './watch.ts';

/** `render-rgd validate PATH... [options]` */
export async function validateCommand(args: readonly string[], io: Io, version: string): Promise<number> {
  const parsed = parseArguments(args, 'validate');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const { settings, paths } = parsed;
  const targets = reportTargets(settings.report);
  if ('fault' in targets) return refuse(targets.fault, io);
  const unknown = settings.disable.find((code) => !lintCodes.some((one) => one === code));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, lintCodes, 1) ?? `the lints are ${lintCodes.join(', ')}`;
    return refuse(`--disable: there is no lint '${unknown}'; ${hint}`, io);
  }
  const look = async (): Promise<number> => {
    const gathered = await gather('validate', args, io, 'validate');
    if (typeof gathered === 'number') return gathered;
    const input = reportOf(gathered, version, io);
    const isWritten = writeReports(targets, input, io);
    return isWritten && !isRefused(input, settings) ? exitCode.ok : exitCode.input;
  };
  if (!settings.watch) return look();
  const read = [...paths, ...settings.definitions, ...settings.observed, settings.openapi].filter(
    (path) => path !== '',
  );
  if (read.includes('-')) return refuse('--watch cannot look at standard input again; name a file or a folder', io);
  if (paths.length === 0) return look();
  return watch(read, look, io);
}

function reportOf({ settings, input, reports }: Gathered, version: string, io: Io): ReportInput {
  io.progress(`looking at ${input.objects.length} documents ...`);
  const clean = withoutEarlier(input);
  const all = [...reports, ...validatePackage(clean, settings).reports];
  io.progress('');
  const shown = condense(wanted(all, settings)).filter((report) => settings.verbose || !isWaiting(report));
  const files = lookedAt(input, all);
  return {
    command: 'validate',
    version,
    diagnostics: inFileOrder(
      toDiagnostics(shown),
      files.map(({ file }) => file),
    ),
    files,
    sources: new Map(all.flatMap(({ source }) => (source ? [[source.file, source.text]] : []))),
    colors: io.colors(),
  };
}

/** That a value is known to a cluster only is as it should be: `pending` lists what is awaited. */
const isWaiting = ({ code, severity }: Report): boolean => code.startsWith('pending-') && severity === 'info';

function isRefused({ diagnostics }: ReportInput, { failOn }: Settings): boolean {
  const { errors, warnings } = countsOf(diagnostics);
  return errors > 0 || (failOn === 'warning' && warnings > 0);
}
