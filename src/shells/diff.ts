import { Collector } from '../diagnostics/index.ts';
import { comparisonJson, comparisonMarkdown, comparisonText, diffPackages, toldOnce } from '../diff/index.ts';
import { parseArguments } from '../options/index.ts';
import { concludeWith } from './conclude.ts';
import { refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { painter } from './paint.ts';
import { faultInVersions, readVersions } from './versions.ts';

/** `render-rgd diff OLD NEW [options]` and `render-rgd diff PATH... --against REF [options]` */
export async function diffCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'diff');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const { settings, paths } = parsed;
  const fault = faultInVersions('diff', paths, settings);
  if (fault !== undefined) return refuse(fault, io);
  const named = [...paths, ...settings.definitions, ...settings.observed, settings.openapi];
  const stdin = named.includes('-') ? await io.stdin() : new Uint8Array();
  const reports = new Collector();
  const [before, after] = readVersions(paths, settings, stdin, reports);
  if (before === undefined || after === undefined || reports.hasErrors) {
    return concludeWith(() => [], reports.all, settings, io);
  }
  const { comparison, reports: found } = diffPackages(before, after, settings);
  const write = (): string[] => {
    if (settings.output === 'json') return [comparisonJson(comparison)];
    if (settings.output === 'markdown') return [comparisonMarkdown(comparison)];
    return [comparisonText(comparison, painter(io))];
  };
  const code = concludeWith(write, toldOnce([...reports, ...found]), settings, io);
  return code === exitCode.ok && settings.exitCode && comparison.changes.length > 0 ? exitCode.input : code;
}
