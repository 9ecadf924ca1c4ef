import { comparePackages } from '../compat/index.ts';
import { Collector, isError, type Report } from '../diagnostics/index.ts';
import { toDiagnostics } from '../locate/index.ts';
import { parseArguments } from '../options/index.ts';
import { readStreams } from '../parse/index.ts';
import { inFileOrder, lookedAt } from '../validate/index.ts';
import { readFiles } from './files.ts';
import { refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { reportTargets, writeReports } from './report.ts';
import { faultInVersions, readVersions } from './versions.ts';

/** `render-rgd compat OLD NEW [options]` and `render-rgd compat PATH... --against REF [options]` */
export async function compatCommand(args: readonly string[], io: Io, version: string): Promise<number> {
  const parsed = parseArguments(args, 'compat');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const { settings, paths } = parsed;
  const targets = reportTargets(settings.report);
  if ('fault' in targets) return refuse(targets.fault, io);
  const fault = faultInVersions('compat', paths, settings);
  if (fault !== undefined) return refuse(fault, io);
  const reports = new Collector();
  const named = [...paths, ...settings.instances, ...settings.definitions];
  const stdin = named.includes('-') ? await io.stdin() : new Uint8Array();
  const [before, after] = readVersions(paths, settings, stdin, reports);
  const found = readFiles(settings.instances, { exclude: settings.exclude, stdin, missing: 'error' }, reports);
  const others = readStreams(found, reports);
  if (!reports.hasErrors && before !== undefined && after !== undefined) {
    reports.addAll(comparePackages(before, after, others, settings).reports);
  }
  // What is to be said of the versions beside their schemas, `validate` says.
  const isAccepted = ({ code, severity }: Report): boolean => code === 'breaking-change' && severity === 'warning';
  const shown = reports.all.filter((one) => isError(one) || (!settings.quiet && (settings.verbose || isAccepted(one))));
  const files = after === undefined ? [] : lookedAt(after, reports.all);
  const diagnostics = inFileOrder(
    toDiagnostics(shown),
    files.map(({ file }) => file),
  );
  const sources = new Map(reports.all.flatMap(({ source }) => (source ? [[source.file, source.text]] : [])));
  const written = writeReports(
    targets,
    { command: 'compat', version, diagnostics, files, sources, colors: io.colors() },
    io,
  );
  return written && !reports.hasErrors ? exitCode.ok : exitCode.input;
}
