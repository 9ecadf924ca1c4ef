import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { examine, groupSimilar } from '../authoring/doctor/index.ts';
import { withoutTemplates } from '../authoring/input/index.ts';
import { Collector } from '../core/diagnostics/index.ts';
import { reportingOptions, sharedOptions } from '../render/options/index.ts';
import { diagnosticsOf } from '../yaml/locate/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { concludePartly, concludeReport, refuse, reportFormat } from './conclude.ts';
import { readFiles } from './files.ts';
import { exitCode } from './output.ts';

const { definitions, exclude, onPending } = sharedOptions;

const own = { output: reportFormat };

export const doctor = defineCommand({
  group: 'Check',
  usage: '[PATH...] [options]',
  summary: 'Find objects that nothing rendered, and kustomizations that do not call the renderer.',
  own,
  shared: { definitions, exclude, onPending, ...reportingOptions },
  run: examinePackage,
});

async function examinePackage(invocation: Invocation<typeof own>): Promise<number> {
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
