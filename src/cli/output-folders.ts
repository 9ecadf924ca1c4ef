import { join } from 'node:path';
import {
  Collector,
  composeText,
  counted,
  fullTitle,
  type Report,
  type Text,
  told,
  trusted,
  unplaced,
} from '../core/diagnostics/index.ts';
import { type Allowance, MAX_WALK_LEVELS, spend } from '../core/model/limits.ts';
import { type Document, groupKindOf, isKubeObject } from '../core/model/object.ts';
import type { FoundText } from '../describe/input/index.ts';
import { isRunnerFile } from '../kubernetes/select/index.ts';
import { FRONT_ENDS } from '../render/front-ends.ts';
import { type Owned, parseOwned } from '../render/tree/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import {
  byteOrder,
  decode,
  entriesIn,
  ifPossible,
  nativeDigest,
  readFault,
  readRegularFile,
  type Within,
} from './file-system.ts';
import { haveObjects, type MetFiles } from './met-files.ts';
import { readLists } from './write/index.ts';

/** What a walk that meets a folder of `render --output-dir` shares with it. */
export interface OutputWalk {
  within: Within;
  budget: { entries: Allowance; bytes: Allowance };
  met: MetFiles | undefined;
}

/** A folder that `render --output-dir` wrote, with its files that are as they were written. */
export interface OutputFolder {
  folder: string;
  files: readonly FoundText[];
}

/** What kustomize and kpt read of a folder, without an object of its own. */
const RUNNER_FILES: ReadonlySet<string> = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
  'Kptfile',
]);

/**
 * Returns the files of an output folder, which are not input: what is rendered is not rendered again. A file that the list
 * of the folder lacks, or that changed since, may be input, and is an error.
 */
export function readOutputFolder(folder: string, walk: OutputWalk, reports: Collector): OutputFolder {
  const owned = ownedIn(folder, reports);
  if (owned === undefined) return { folder, files: [] };
  const digestOf = nativeDigest();
  const files: FoundText[] = [];
  for (const path of pathsBelow(folder, '', 0, walk, reports)) {
    const file = join(folder, path);
    const bytes = ifPossible(() => readRegularFile(file, { within: walk.within }));
    if (bytes !== undefined && !spend(walk.budget.bytes, bytes.length)) break;
    if (bytes !== undefined && owned.get(path)?.has(digestOf(bytes)) === true) {
      walk.met?.ignore(file, 'earlier-output');
      files.push({ file, text: decode(bytes) });
      continue;
    }
    if (isWithoutObjects(path, bytes)) {
      walk.met?.ignore(file, 'no-manifest');
      continue;
    }
    walk.met?.record(file, { is: 'failed' });
    reports.add(foreignFile(file, folder, owned.has(path)));
  }
  return { folder, files };
}

function ownedIn(folder: string, reports: Collector): Owned | undefined {
  const fail = (reason: string): undefined => {
    reports.add(
      unplaced(
        'tree-list',
        told`cannot read the list of files in ${{ file: trusted.file(folder) }}: ${{ reason: trusted.error(reason) }}`,
      ),
    );
  };
  try {
    const parsed = parseOwned(readLists(folder));
    return 'fault' in parsed ? fail(parsed.fault) : parsed.owned;
  } catch (error) {
    return fail(readFault(error));
  }
}

/** Returns the paths of the files below a folder that are not hidden, relative to the outermost one. */
function pathsBelow(root: string, below: string, level: number, walk: OutputWalk, reports: Collector): string[] {
  const folder = join(root, below);
  if (level > MAX_WALK_LEVELS) {
    const message = told`${{ file: trusted.file(folder) }} is nested more than ${{ limit: MAX_WALK_LEVELS }} levels deep`;
    reports.add(unplaced('budget-exceeded', message));
    return [];
  }
  const found: string[] = [];
  for (const entry of entriesIn(folder).sort((a, b) => byteOrder(a.name, b.name))) {
    if (!spend(walk.budget.entries, 1)) break;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.')) walk.met?.ignore(join(root, path), 'no-manifest');
    else if (entry.isDirectory()) for (const one of pathsBelow(root, path, level + 1, walk, reports)) found.push(one);
    else found.push(path);
  }
  return found;
}

/** Reports whether a file that was not written here has no object: the file of a runner, a text, a picture. */
function isWithoutObjects(path: string, bytes: Buffer | undefined): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (RUNNER_FILES.has(name)) return bytes === undefined || hasOnlyRunnerFiles(bytes);
  return !/\.(?:ya?ml|json)$/i.test(name) && bytes !== undefined && !haveObjects(bytes);
}

/** Reports whether a text that kustomize or kpt reads has nothing that is applied. */
function hasOnlyRunnerFiles(bytes: Buffer): boolean {
  const text = ifPossible(() => decode(bytes));
  if (text === undefined) return false;
  const faults = new Collector();
  const documents = readStreams([{ file: '', text }], faults);
  return !faults.hasErrors && documents.every(({ object }) => !isKubeObject(object) || isRunnerFile(object));
}

function foreignFile(file: string, folder: string, isChanged: boolean): Report {
  const what = isChanged ? composeText`was changed after it was rendered` : composeText`was not rendered`;
  const message = composeText`${trusted.file(file)} ${what}, and is in ${trusted.file(folder)}, which render-rgd wrote: nothing there is read`;
  const hint = isChanged
    ? composeText`render again with --output-dir ${trusted.file(folder)} --force, which drops the change`
    : composeText`move it out of the folder`;
  return { ...unplaced('output-file', message, hint), source: { file, text: '', document: 0, path: [] } };
}

/** Returns an info that names the folders that are left out, and an error for each instance or RGD in them. */
export function outputFolderReports(
  outputs: readonly OutputFolder[],
  objects: readonly Document[],
  reports: Collector,
): readonly Report[] {
  const known = objects.map(({ object }) => object).filter(isKubeObject);
  const kinds = new Set(FRONT_ENDS.flatMap((one) => one.kindsIn(known)).map(({ group, kind }) => `${kind}.${group}`));
  return outputs.flatMap(({ folder, files }): Report[] => {
    const found = readStreams(files, reports).flatMap(({ object, source }): Report[] => {
      const isInput =
        isKubeObject(object) && (kinds.has(groupKindOf(object)) || FRONT_ENDS.some((one) => one.takes(object)));
      if (!isInput) return [];
      const message = told`${{ object: fullTitle(object, false) }} is in ${{ file: trusted.file(folder) }}, which render-rgd wrote: nothing there is read`;
      const hint = composeText`move it out of the folder`;
      return [{ ...unplaced('output-file', message, hint), ...(source && { source }) }];
    });
    return [skippedFolder(folder, files.length), ...found];
  });
}

function skippedFolder(folder: string, count: number): Report {
  const files: Text = counted(count, 'file');
  const message = composeText`not read: ${trusted.file(folder)}, which render-rgd wrote (${files})`;
  return unplaced('output-skipped', message, undefined, 'info');
}
