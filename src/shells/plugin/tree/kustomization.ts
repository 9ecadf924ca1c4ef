import { readFileSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Collector, Report } from '../../../diagnostics/index.ts';
import type { Source } from '../../../model/object.ts';
import type { Path, Value } from '../../../model/value.ts';
import { readStream } from '../../../parse/index.ts';
import { outside, placeOf, realPath, type Within } from '../../boundary.ts';
import { type Reference, referencesIn } from './references.ts';
import { isFlagForGit, isRemote, isUrl } from './remote.ts';

export const KUSTOMIZATION_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

export interface Allowed {
  within: Within;
  /** An administrator lets kustomize fetch. */
  remote: boolean;
}

/**
 * Reads the kustomization of a folder and all that it stands on, as far as they are here, and reports every reference
 * that would fetch something or that leads out of what may be read. Yields the folders that kustomize reads from.
 */
export function checkKustomization(folder: string, allowed: Allowed, reports: Collector): string[] {
  const folders = new Set<string>();
  const seen = new Set<string>();
  const context: Context = { allowed, reports, folders, seen };
  checkFolder(folder, false, context);
  return [...folders];
}

interface Context {
  allowed: Allowed;
  reports: Collector;
  folders: Set<string>;
  /** Folders and files by what they are read as. */
  seen: Set<string>;
}

/** `isConfiguration`: what comes out configures plugins of kustomize. */
function checkFolder(folder: string, isConfiguration: boolean, context: Context): void {
  const real = realPath(folder);
  if (real === undefined || !once(`${isConfiguration} ${real}`, context)) return;
  context.folders.add(folder);
  for (const name of KUSTOMIZATION_FILES) {
    if (isFile(join(folder, name))) checkFile(join(folder, name), { folder, isConfiguration }, context);
  }
}

function checkFile(
  file: string,
  { folder, isConfiguration }: Pick<Place, 'folder' | 'isConfiguration'>,
  context: Context,
): void {
  const place = placeOf(file);
  if (!context.allowed.within(place)) {
    context.reports.add(outside(file));
    return;
  }
  if (!once(`${isConfiguration} ${folder} ${place}`, context)) return;
  checkText(readFileSync(place, 'utf8'), { file, folder, isConfiguration, within: undefined }, context);
}

interface Place {
  file: string;
  /** What references are relative to. */
  folder: string;
  /** It is part of a kustomization that yields configurations of plugins. */
  isConfiguration: boolean;
  /** For a text in a text: where that stands. */
  within: { source: Source; path: Path } | undefined;
}

function checkText(text: string, place: Place, context: Context): void {
  const { documents, problems } = readStream(text);
  const [problem] = problems;
  if (problem !== undefined && place.within === undefined) {
    const message = `${place.file} cannot be checked before kustomize reads it: ${problem.message}`;
    context.reports.add({ code: 'build-failed', message, path: [] });
  }
  for (const { index, value } of documents) {
    const source = place.within?.source ?? { file: place.file, text, document: index, path: [] };
    for (const reference of referencesIn(value)) {
      const path = place.within?.path ?? reference.path;
      checkReference(reference, { ...place, within: { source, path } }, context);
    }
    if (place.isConfiguration) checkTexts(value, { ...place, within: { source, path: [] } }, context);
  }
}

function checkReference(reference: Reference, place: Place, context: Context): void {
  const { text, mayBeFolder, isConfiguration } = reference;
  const { allowed, reports } = context;
  const report = (problem: Omit<Report, 'path' | 'source'>): void => {
    const { source, path = [] } = place.within ?? {};
    reports.add({ ...problem, path, ...(source === undefined ? {} : { source }) });
  };
  // Where a folder may be, kustomize still looks for a file first.
  const remote = (name: string): boolean =>
    isUrl(name) || (mayBeFolder && isRemote(name) && !isFile(resolve(place.folder, name)));
  // An entry of a generator's `files` may give the key: `key=path`.
  const names = [...new Set([text, text.slice(text.indexOf('=') + 1)])];
  const fetched = names.find(remote);
  const isInline = text.includes('\n') || /^\s*\{/.test(text);
  if (fetched !== undefined && !(isInline && !isUrl(text))) {
    if (allowed.remote && !isFlagForGit(text)) return;
    const hint = isFlagForGit(text) ? 'git would take the branch for a flag' : REMOTE_HINT;
    report({ code: 'build-remote', message: `'${fetched}' would be fetched, and nothing is`, hint });
    return;
  }
  if (isInline) {
    if (isConfiguration) checkText(text, place, context);
    return;
  }
  for (const name of names) {
    const { path: _, ...out } = outside(name);
    if (allowed.within(placeOf(resolve(place.folder, name)))) continue;
    report(out);
    return;
  }
  const file = resolve(place.folder, text);
  const configures = isConfiguration || place.isConfiguration;
  if (mayBeFolder && isFolder(file)) checkFolder(file, configures, context);
  else if (isConfiguration && isFile(file)) checkFile(file, { folder: place.folder, isConfiguration: false }, context);
  else if (configures && isFile(file)) checkFile(file, { folder: place.folder, isConfiguration: true }, context);
}

const REMOTE_HINT = 'commit what it names; an administrator can allow fetching with --allow-remote in plugin.yaml';

/**
 * Configurations that come out of a kustomization can be patched and generated before kustomize acts on them, so a URL
 * anywhere in there may end up where one is fetched.
 */
function checkTexts(value: Value, place: Place, context: Context): void {
  if (context.allowed.remote || !/:\/\//.test(JSON.stringify(value, withoutBigints))) return;
  const { source } = place.within ?? {};
  const message = `the configuration of a plugin of kustomize names a URL, which would be fetched, and nothing is`;
  context.reports.add({
    code: 'build-remote',
    message,
    path: [],
    hint: REMOTE_HINT,
    ...(source === undefined ? {} : { source }),
  });
}

const withoutBigints = (_: string, member: unknown): unknown => (typeof member === 'bigint' ? String(member) : member);

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;
const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function once(key: string, { seen }: Context): boolean {
  const first = !seen.has(key);
  seen.add(key);
  return first;
}
