import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { withTracesIn } from '../authoring/input/index.ts';
import type { RenderInput } from '../core/model/render.ts';
import type { TextStream } from '../yaml/parse/index.ts';
import { type Within, withinAny } from './boundary.ts';
import { ifPossible, realPath } from './file-system.ts';
import { readRegularText } from './regular-file.ts';

/** The limits of a search: further files are not read. */
const MOST_FILES = 20_000;
const MOST_CHARACTERS = 64_000_000;
const LARGEST = 1_000_000;

/** Returns the folders to search for some paths of a command: their repositories, or else the current folder. */
export function rootsOf(paths: readonly string[]): string[] {
  const here = realPath('.') ?? '.';
  const roots = (paths.length === 0 ? ['.'] : paths).flatMap((path) => {
    const folder = path === '-' ? here : realPath(path);
    if (folder === undefined) return [];
    const repository = repositoryAbove(folder);
    const isHere = folder === here || !relative(here, folder).startsWith('..');
    return repository ?? (isHere && here !== dirname(here) && here !== realPath(homedir()) ? here : []);
  });
  return [...new Set(roots)];
}

function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAbove(parent);
}

/**
 * Returns the input with what shows, in some folders, that objects of its kinds have to be rendered: an RGD that is not
 * part of the input, its CRD, or rendered objects. Reads nothing if an RGD or a schema is known for every kind.
 */
export function withTraces(
  input: RenderInput,
  roots: readonly string[],
  within: Within = withinAny(roots),
): RenderInput {
  const budget = { files: MOST_FILES, characters: MOST_CHARACTERS };
  return withTracesIn(input, () => textsBelow(roots, within, budget));
}

function* textsBelow(
  roots: readonly string[],
  within: Within,
  budget: { files: number; characters: number },
): Iterable<TextStream> {
  for (const file of roots.flatMap((root) => [...filesBelow(root, budget)])) {
    const text = textOf(file, within);
    budget.characters -= text.length;
    if (budget.characters < 0) return;
    yield { file: (relative('.', file) || file).replaceAll('\\', '/'), text };
  }
}

/** Returns YAML and JSON files, folders near the root first. Links are not followed. */
function* filesBelow(root: string, budget: { files: number }): Iterable<string> {
  const folders = [root];
  for (let at = 0; at < folders.length && budget.files > 0; at++) {
    const folder = folders[at] as string;
    for (const entry of entriesOf(folder)) {
      if (budget.files <= 0) return;
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
        folders.push(join(folder, entry.name));
      } else if (entry.isFile() && /\.(?:ya?ml|json)$/i.test(entry.name)) {
        budget.files -= 1;
        yield join(folder, entry.name);
      }
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  const entries = ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

/** A file that cannot be read shows nothing. */
const textOf = (file: string, within: Within): string =>
  ifPossible(() => readRegularText(file, { within, limit: LARGEST })) ?? '';
