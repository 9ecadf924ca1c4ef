import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Collector } from '../diagnostics/index.ts';
import { examine } from '../doctor/index.ts';
import { parseArguments } from '../options/index.ts';
import { objectsIn, readStreams } from '../parse/index.ts';
import { reportsText } from './describe.ts';
import { readFiles } from './files.ts';
import { refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { withoutTemplates } from './templates.ts';

/** `render-rgd doctor [PATH...] [options]` */
export async function doctorCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'doctor');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const paths = parsed.paths.length > 0 || io.stdinIsTerminal() ? parsed.paths : ['-'];
  if (paths.length === 0) return refuse('doctor needs a PATH; - reads standard input', io);
  const { definitions, exclude, onPending } = parsed.settings;
  const reports = new Collector();
  const readsStdin = [...paths, ...definitions].includes('-');
  const readOptions = { exclude, stdin: readsStdin ? await io.stdin() : new Uint8Array() };
  const runnerFiles = paths.map((path) => join(path, 'Kptfile')).filter((file) => existsSync(file));
  const streams = readFiles([...paths, ...runnerFiles], readOptions, reports);
  const beside = readFiles(definitions, readOptions, reports);
  const read = { objects: readStreams(streams, reports), definitions: readStreams(beside, reports) };
  const input = withoutTemplates([...streams, ...beside], read, reports, false);
  const objects = objectsIn(input.objects);
  const rgds = objectsIn(input.definitions);
  const failed = reports.hasErrors;
  const line = failed ? '' : examine({ streams, objects, definitions: rgds, onPending }, reports);
  io.stderr(reportsText(reports.all, parsed.settings));
  io.stdout([line]);
  return reports.hasErrors ? exitCode.input : exitCode.ok;
}
