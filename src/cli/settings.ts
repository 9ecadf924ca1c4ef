import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type RuleSet, readAccepted, readRules } from '../authoring/rules/index.ts';
import { type Collector, type Problem, toReport } from '../core/diagnostics/index.ts';
import { isMap } from '../core/model/value.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { readFiles } from './files.ts';

const NAME = 'render-rgd.yaml';

/**
 * Reads the rules of `--config`, or else of the nearest render-rgd.yaml in the folder of the first path and those
 * above, up to the root of its repository. Globs are relative to the folder of that file. Errors are reported.
 */
export function readSettings(paths: readonly string[], config: string, reports: Collector): RuleSet {
  const file = config === '' ? settingsAbove(resolve(folderOf(paths[0] ?? '.'))) : config;
  if (file === undefined) return { rules: [] };
  const shown = config === '' ? relative('.', file) : file;
  const texts = readFiles([shown], { exclude: [], stdin: new Uint8Array(), missing: 'error' }, reports);
  const [document] = readStreams(texts, reports);
  // A functionConfig may have the same name.
  if (config === '' && isMap(document?.object) && Object.hasOwn(document.object, 'apiVersion')) return { rules: [] };
  const report = (problem: Problem): void =>
    reports.add({ ...toReport(problem), ...(document?.source && { source: document.source }) });
  const rules = readRules(document?.object, report);
  const accepted = readAccepted(document?.object, report);
  const root = dirname(resolve(file));
  return { rules, accepted, relative: (path) => relative(root, resolve(path)) };
}

const folderOf = (path: string): string => {
  if (path === '-' || !existsSync(path)) return '.';
  return statSync(path).isDirectory() ? path : dirname(path);
};

function settingsAbove(folder: string): string | undefined {
  const file = join(folder, NAME);
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, '.git')) ? undefined : settingsAbove(parent);
}
