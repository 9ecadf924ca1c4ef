import { dirname, join, relative } from 'node:path';
import type { RenderInput } from '../core/model/render.ts';
import { type TextsAround, tracesIn } from '../describe/input/index.ts';
import { withoutSecretValues } from '../yaml/withhold/index.ts';
import {
  byteOrder,
  entriesIn,
  ifPossible,
  nearestAbove,
  readRegularText,
  realPath,
  type Within,
  withinAny,
} from './file-system.ts';

/** The limits of a search: further files are not read. */
const MOST_ENTRIES = 200_000;
const MOST_FILES = 20_000;
const MOST_CHARACTERS = 64_000_000;
const LARGEST = 16_000_000;
const NOT_SEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Returns a function that finds the folders to search for some paths: their repositories, or else the current folder. */
export const rootsOf =
  (paths: readonly string[]): (() => string[]) =>
  () => {
    const here = realPath('.') ?? '.';
    const roots = (paths.length === 0 ? ['.'] : paths).flatMap((path) => {
      const folder = path === '-' ? here : realPath(path);
      if (folder === undefined) return [];
      const repository = nearestAbove(folder, '.git');
      const isHere = folder === here || !relative(here, folder).startsWith('..');
      return (
        repository ??
        (isHere && here !== dirname(here) && here !== realPath(process.getBuiltinModule('node:os').homedir())
          ? here
          : [])
      );
    });
    return [...new Set(roots)];
  };

/** Returns the input, which searches some folders for RGDs of kinds that it does not define. */
export const withTraces = <Input extends Omit<RenderInput, 'objects'>>(
  input: Input,
  find: () => readonly string[],
  search: SearchOptions = {},
): Input & { traceFor: NonNullable<RenderInput['traceFor']> } => ({
  ...input,
  traceFor: tracesIn(() => textsBelow(find(), search), search.withholdsSecrets ? publicText : undefined),
});

interface SearchOptions {
  within?: Within | undefined;
  withholdsSecrets?: boolean | undefined;
}

const publicText = (text: string): string => withoutSecretValues(text).text;

function* textsBelow(roots: readonly string[], { within = withinAny(roots) }: SearchOptions): TextsAround {
  const budget = { entries: MOST_ENTRIES, files: MOST_FILES, characters: MOST_CHARACTERS };
  let skipped: string | undefined;
  for (const path of roots.flatMap((root) => [...filesBelow(root, budget)])) {
    const file = (relative('.', path) || path).replaceAll('\\', '/');
    const text = ifPossible(() => readRegularText(path, { within, limit: LARGEST }));
    budget.characters -= text?.length ?? 0;
    if (budget.characters < 0) return `no more than ${MOST_CHARACTERS} characters of the repository were searched`;
    if (text === undefined) skipped ??= `${file} is too large to be searched, or cannot be read`;
    else yield { file, text };
  }
  if (budget.entries < 0) return `no more than ${MOST_ENTRIES} files and folders of the repository were searched`;
  return budget.files > 0 ? skipped : `no more than ${MOST_FILES} files of the repository were searched`;
}

interface SearchBudget {
  entries: number;
  files: number;
}

/** Returns YAML and JSON files, folders near the root first, and last hidden ones. Links are not followed. */
function* filesBelow(root: string, budget: SearchBudget): Iterable<string> {
  const folders = [root];
  const hidden: string[] = [];
  let next = 0;
  let nextHidden = 0;
  while (next < folders.length || nextHidden < hidden.length) {
    const isHidden = next === folders.length;
    const folder = (isHidden ? hidden[nextHidden] : folders[next]) as string;
    if (isHidden) nextHidden += 1;
    else next += 1;
    const entries = ifPossible(() => entriesIn(folder)) ?? [];
    budget.entries -= entries.length;
    if (budget.entries < 0) return;
    for (const entry of entries.sort((a, b) => byteOrder(a.name, b.name))) {
      if (budget.files <= 0) return;
      if (entry.isDirectory() && !NOT_SEARCHED.has(entry.name)) {
        (entry.name.startsWith('.') ? hidden : folders).push(join(folder, entry.name));
      } else if (entry.isFile() && /\.(?:ya?ml|json)$/i.test(entry.name)) {
        budget.files -= 1;
        yield join(folder, entry.name);
      }
    }
  }
}
