import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Collector } from '../core/diagnostics/index.ts';
import { withoutTemplates } from '../describe/input/index.ts';
import { examine, groupSimilar } from '../gitops/doctor/index.ts';
import { reportingOptions, sharedOptions } from '../render/options/index.ts';
import { diagnosticsOf } from '../yaml/locate/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { readFiles } from './files.ts';
import { concludePartly, concludeReport, exitCode, refuse, reportedAs } from './output.ts';

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
