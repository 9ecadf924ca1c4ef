// Reads render-rgd.yaml, and the policies that it or --policies names.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isPolicy } from '../check/policies/index.ts';
import { type RuleSet, readAccepted, readBaseline, readPolicyPaths, readRules } from '../check/rules/index.ts';
import { type Collector, type Problem, phrase, toReport, trusted } from '../core/diagnostics/index.ts';
import type { Document } from '../core/model/object.ts';
import { isMap } from '../core/model/value.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { nearestAbove, placeOf, type Within } from './file-system.ts';
import { type ReadOptions, readFiles } from './files.ts';

export const SETTINGS_FILE = 'render-rgd.yaml';

/** Reads `--config`, or the nearest render-rgd.yaml above up to the root of the repository, where its globs start. */
export function readSettings(
  paths: readonly string[],
  config: string,
  reports: Collector,
  within: Within = () => true,
): RuleSet {
  const file = config === '' ? settingsAbove(resolve(folderOf(paths[0] ?? '.'))) : config;
  if (file === undefined || !within(placeOf(file))) return { rules: [] };
  const shown = config === '' ? relative('.', file) : file;
  const texts = readFiles([shown], { missing: 'error' }, reports);
  const [document] = readStreams(texts, reports);
  // A functionConfig may have the same name.
  if (config === '' && isMap(document?.object) && Object.hasOwn(document.object, 'apiVersion')) return { rules: [] };
  const report = (problem: Problem): void =>
    reports.add({ ...toReport(problem), ...(document?.source && { source: document.source }) });
  const rules = readRules(document?.object, report);
  const accepted = readAccepted(document?.object, report);
  const root = dirname(resolve(file));
  const policies = readPolicyPaths(document?.object, report).map((path) => relative('.', resolve(root, path)) || '.');
  const baseline = readBaseline(document?.object, report);
  return { rules, accepted, baseline, policies, relative: (path) => relative(root, resolve(path)) };
}

/** Reads the admission policies of `--policies` and of a render-rgd.yaml. Paths without any are an error. */
export function readPolicyFiles(
  given: readonly string[],
  { policies = [] }: Partial<RuleSet>,
  options: ReadOptions,
  reports: Collector,
): Document[] {
  const paths = [...given, ...policies];
  if (paths.length === 0) return [];
  const documents = readStreams(readFiles(paths, { ...options, missing: 'error' }, reports), reports);
  if (!reports.hasErrors && !objectsIn(documents).some(isPolicy)) {
    const message = phrase`there is no ValidatingAdmissionPolicy in ${{ file: trusted.file(paths.join(', ')) }}, so that nothing would be checked`;
    reports.add(toReport({ code: 'not-found', message, path: [] }));
  }
  return documents;
}

const folderOf = (path: string): string => {
  if (path === '-' || !existsSync(path)) return '.';
  return statSync(path).isDirectory() ? path : dirname(path);
};

function settingsAbove(folder: string): string | undefined {
  const found = nearestAbove(folder, SETTINGS_FILE);
  const root = nearestAbove(folder, '.git') ?? '';
  return found !== undefined && found.length >= root.length ? join(found, SETTINGS_FILE) : undefined;
}
