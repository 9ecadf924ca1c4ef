import { readFileSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import {
  composeText,
  HIDDEN,
  type HiddenTitle,
  hasErrors,
  type Report,
  titleText,
  told,
  trusted,
  unplaced,
} from '../../core/diagnostics/index.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import { type KubeObject, nameOf } from '../../core/model/object.ts';
import { parentOf } from '../../core/text/paths.ts';
import { visible } from '../../core/text/visible.ts';
import type { Selected } from '../../kubernetes/select/index.ts';
import {
  type Folder,
  type Owned,
  ownedText,
  type Placeable,
  type Plan,
  type Present,
  parseLayout,
  parseOwned,
  placeObjects,
  planTree,
  staleReports,
  summaryOf,
} from '../../render/tree/index.ts';
import { documentWriter, toJsonText } from '../../yaml/emit/index.ts';
import { FileError, isOfSystem, nativeDigest, readFault } from '../file-system.ts';
import {
  type Access,
  causeOf,
  commit,
  enterTree,
  isInterrupted,
  LinkError,
  readLists,
  removeEmptyFolders,
  statAt,
} from '../write/index.ts';

interface File {
  path: string;
  text: string;
  digest: string;
}

/** Links are never followed: they may leave the folder. Nothing is below an owned file in the place of a folder. */
function presentIn(root: string, owned: Owned, files: readonly File[]): (path: string) => Present {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const digestOf = nativeDigest();
  const folderAt = onceFor((path: string): Present | 'folder' => {
    if (path === '') return statAt(root) === undefined ? 'missing' : 'folder';
    const above = folderAt(parentOf(path));
    if (above !== 'folder') return above;
    const stat = statAt(join(root, path));
    if (stat === undefined) return 'missing';
    if (stat.isDirectory()) return 'folder';
    if (stat.isFile() && owned.has(path)) return 'missing';
    return { instead: composeText`${trusted.file(path)}, which is ${kindOf(stat)},` };
  });
  return (path) => {
    const above = folderAt(parentOf(path));
    if (above !== 'folder') return above;
    const stat = statAt(join(root, path));
    if (stat === undefined) return 'missing';
    if (!stat.isFile()) return { instead: kindOf(stat) };
    const bytes = readFileSync(join(root, path));
    const file = wanted.get(path);
    return { digest: file !== undefined && bytes.equals(Buffer.from(file.text)) ? file.digest : digestOf(bytes) };
  };
}

function kindOf(stat: Stats) {
  if (stat.isSymbolicLink()) return composeText`a link`;
  if (stat.isDirectory()) return composeText`a folder`;
  return stat.isFile() ? composeText`a file` : composeText`a pipe or a device`;
}

export interface TreeSettings {
  outputDir: string;
  layout: string;
  output: 'yaml' | 'json';
  force: boolean;
  check: boolean;
  allowEmpty: boolean;
  /** Reports whether a file does not change, whatever it contains. */
  isHeld?: (path: string) => boolean;
}

/** Returns the error of the options of an output directory; none without any of them. */
export function treeFault({ outputDir, layout, output, force, check }: TreeSettings): string | undefined {
  if (outputDir === '') {
    const option = layout !== '' ? 'layout' : check ? 'check' : 'force';
    return layout !== '' || check || force ? `--${option} needs --output-dir DIR` : undefined;
  }
  const parsed = parseLayout(layout, output);
  return 'fault' in parsed ? `--layout: ${parsed.fault}` : undefined;
}

/** Makes objects for the tree: where they were read decides on {folder}. */
export function placer(paths: readonly string[]): (selected: Selected) => Placeable {
  const folderFor = onceFor((file: string | undefined) => (file === undefined ? '' : folderOf(file, paths)));
  return ({ object, entry: { role, input } }) => ({
    object,
    instance: role === 'instance' ? nameOf(input.object) : '',
    folder: folderFor(input.source?.file),
  });
}

/** Returns the folder of a file relative to the longest matching path. */
function folderOf(file: string, paths: readonly string[]): string {
  const below = paths
    .map((path) => relative(path, file))
    .filter((path) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`))
    .sort((a, b) => a.length - b.length);
  const folder = dirname(below[0] ?? '');
  return folder === '.' ? '' : folder.replaceAll(sep, '/');
}

/** After an error nothing is written. `hasSecretName` is asked for reports only. */
export function writeTree(
  items: readonly Placeable[],
  settings: TreeSettings,
  hasSecretName: (object: KubeObject) => HiddenTitle,
): Report[] {
  const layout = parseLayout(settings.layout, settings.output);
  if ('fault' in layout) throw new Error(layout.fault);
  const unnamed = items.filter(({ object }) => nameOf(object) === '');
  const { placed, clashes } = placeObjects(items, layout);
  if (unnamed.length > 0 || clashes.length > 0) {
    return [
      ...unnamed.map(({ object }) =>
        unplaced(
          'tree-clash',
          composeText`${hasSecretName(object) === 'everything' ? HIDDEN : trusted.definition(object.kind)} without metadata.name: no file can be named after it`,
          composeText`add a name; without --output-dir the object is printed`,
        ),
      ),
      ...clashes.map(({ path, item: { object } }) => {
        const isHidden = hasSecretName(object);
        const where = isHidden !== false ? '' : composeText`to ${trusted.file(path)} `;
        const message = told`${{ object: titleText(object, isHidden) }} would be written ${where}twice`;
        return unplaced('tree-clash', message, composeText`leave one of the two out`);
      }),
    ];
  }
  const textOf =
    settings.output === 'yaml' ? documentWriter() : (object: KubeObject) => `${visible(toJsonText(object, 2))}\n`;
  const digestOf = nativeDigest();
  const files = placed.map(({ path, item }) => {
    const text = textOf(item.object);
    return { path, text, digest: digestOf(text) };
  });
  const objects = lazily(() => new Map(placed.map(({ path, item }) => [path, item.object])));
  const hasSecretNames = lazily(() => items.some(({ object }) => hasSecretName(object) !== false));
  // Nothing is known of the object of an earlier file.
  const isHidden = (object: KubeObject | undefined): boolean =>
    object === undefined ? hasSecretNames() : hasSecretName(object) !== false;
  try {
    return bring(files, settings, (path) =>
      isHidden(objects().get(path)) ? composeText`(hidden)` : trusted.file(path),
    );
  } catch (error) {
    if (!isExpected(error)) throw error;
    // The error of a link names a path.
    const reason = error instanceof LinkError && hasSecretNames() ? 'a file cannot be replaced' : readFault(error);
    return [
      unplaced(
        'tree-list',
        told`cannot write below ${{ file: trusted.file(settings.outputDir) }}: ${{ reason: trusted.error(reason) }}`,
      ),
    ];
  }
}

/** Reports whether an error is one of the file system, or of what was found there: any other is a bug. */
const isExpected = (error: unknown): boolean => error instanceof FileError || isOfSystem(error);

function bring(files: readonly File[], settings: TreeSettings, shown: Folder['shown']): Report[] {
  const root = settings.outputDir;
  const first = comparedWith(files, settings, shown);
  if (!('plan' in first) || !first.isStale) return first.reports;
  const access = enterTree(root);
  if ('fault' in access) {
    const message = told`${{ file: trusted.file(root) }}: ${{ reason: trusted.error(access.fault) }}`;
    return [unplaced('tree-locked', message, composeText`render again when it has finished`)];
  }
  try {
    // Another process may have written since.
    const found = comparedWith(files, settings, shown, access.beat);
    if ('plan' in found) apply(access, found, files, root);
    return found.reports;
  } catch (error) {
    if (!isExpected(error) || error instanceof LinkError) throw error;
    throw new FileError(causeOf(error, access));
  } finally {
    access.release();
  }
}

interface Compared {
  reports: Report[];
  plan: Plan;
  list: string;
  owned: Owned;
  isStale: boolean;
}

/** Plans the changes of the output directory; without a plan, nothing may be changed. */
function comparedWith(
  files: readonly File[],
  settings: TreeSettings,
  shown: Folder['shown'],
  beat: () => void = () => undefined,
): Compared | { reports: Report[] } {
  const root = settings.outputDir;
  const read = readOwned(root, settings.force);
  if ('code' in read) return { reports: [read] };
  if (files.length === 0 && read.owned.size > 0 && !settings.allowEmpty) {
    const message = composeText`nothing is rendered, and ${trusted.file(root)} holds files of an earlier run`;
    return { reports: [unplaced('empty-output', message, composeText`--allow-empty removes them`)] };
  }
  // Files of an earlier run that do not change.
  const { isHeld = () => false } = settings;
  const earlier = [...read.owned].filter(([path]) => isHeld(path));
  const held = earlier.flatMap(([path, digests]) => [...digests].map((digest) => ({ path, digest })));
  const owned = new Map([...read.owned].filter(([path]) => !isHeld(path)));
  const present = onceFor(presentIn(root, owned, files));
  const folder = {
    owned,
    present: (path: string) => {
      beat();
      return present(path);
    },
    shown,
  };
  const plan = planTree(files, folder, settings);
  if (settings.check) return { reports: staleReports(plan, folder) };
  if (hasErrors(plan.reports)) return { reports: [...plan.reports] };
  const list = ownedText([...files, ...held]);
  const isDone = plan.write.length === 0 && plan.remove.length === 0 && readLists(root)[0] === list;
  const message = composeText`${trusted.file(root)}: ${summaryOf(plan)}`;
  const reports = [unplaced('tree-written', message, undefined, 'info')];
  return { reports, plan, list, owned, isStale: !isDone || isInterrupted(root) };
}

function apply(access: Access, { plan, list, owned }: Compared, files: readonly File[], root: string): void {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  commit(root, access, plan, list, (path) => texts.get(path) as string);
  // An interrupted run may have created folders for files that are no longer needed.
  removeEmptyFolders(access, [...plan.remove, ...[...owned.keys()].filter((path) => !texts.has(path))]);
}

function readOwned(root: string, force: boolean): { owned: Owned } | Report {
  const stat = statAt(root);
  if (stat !== undefined && !stat.isDirectory() && !stat.isSymbolicLink())
    return unplaced('tree-list', told`${{ file: trusted.file(root) }} is not a directory`);
  const parsed = parseOwned(readLists(root), force);
  if (!('fault' in parsed)) return parsed;
  const hint = composeText`take it from version control; --force passes over what cannot be read`;
  const message = told`${{ file: trusted.file(root) }}: the list of what was written: ${{ reason: trusted.error(parsed.fault) }}`;
  return unplaced('tree-list', message, hint);
}
