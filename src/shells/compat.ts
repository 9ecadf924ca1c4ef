import { comparePackages } from '../compat/index.ts';
import { hasErrors, isError, type Report } from '../diagnostics/index.ts';
import { toDiagnostics } from '../locate/index.ts';
import type { RenderInput } from '../model/render.ts';
import { parseArguments } from '../options/index.ts';
import { readStreams } from '../parse/index.ts';
import { inFileOrder, lookedAt } from '../validate/index.ts';
import { readFiles } from './files.ts';
import { refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { readInput } from './read-input.ts';
import { reportTargets, writeReports } from './report.ts';

/** `render-rgd compat OLD NEW [options]` */
export async function compatCommand(args: readonly string[], io: Io, version: string): Promise<number> {
  const parsed = parseArguments(args, 'compat');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const { settings, paths } = parsed;
  const targets = reportTargets(settings.report);
  if ('fault' in targets) return refuse(targets.fault, io);
  const [old, young, more] = paths;
  if (old === undefined || young === undefined || more !== undefined) return refuse('compat needs OLD and NEW', io);
  if (old === '-' && young === '-') return refuse('compat: OLD and NEW are both -', io);
  const reports: Report[] = [];
  const named = [...paths, ...settings.instances, ...settings.definitions];
  const options = { exclude: settings.exclude, stdin: named.includes('-') ? await io.stdin() : new Uint8Array() };
  const read = (some: string): RenderInput =>
    readInput(readFiles([some], { ...options, missing: 'error' }, reports), settings, options, reports);
  const [before, after] = [read(old), read(young)];
  const others = readStreams(readFiles(settings.instances, { ...options, missing: 'error' }, reports), reports);
  const compared = hasErrors(reports) ? [] : comparePackages(before, after, others, settings).reports;
  for (const report of compared) reports.push(report);
  const shown = reports.filter((report) => isError(report) || (settings.verbose && !settings.quiet));
  const files = lookedAt(after, reports);
  const diagnostics = inFileOrder(
    toDiagnostics(shown),
    files.map(({ file }) => file),
  );
  const sources = new Map(reports.flatMap(({ source }) => (source ? [[source.file, source.text]] : [])));
  const written = writeReports(
    targets,
    { command: 'compat', version, diagnostics, files, sources, colors: io.colors() },
    io,
  );
  return written && !hasErrors(reports) ? exitCode.ok : exitCode.input;
}
