import { MAX_LINKS } from '../../core/model/limits.ts';
import { withoutTrailing } from '../../core/text/ends.ts';
import { baseOf, foldersFrom, joinPath, parentOf } from '../../core/text/paths.ts';
import { type FoundText, isGoldenTest } from '../../describe/input/index.ts';
import { GlobBudget, globTest, patternTest } from '../../languages/glob/index.ts';

/** The files of one version of a repository. Paths are relative to its root, with slashes, in byte order. */
export interface Files {
  paths: readonly string[];
  /** Returns `undefined` for a path that is not a file with UTF-8 text. */
  text(path: string): string | undefined;
  /** The links among the paths, with their targets in the repository; a link without one leads out of it. */
  links?: ReadonlyMap<string, string>;
  /** A link whose text leaves the repository. */
  outwardLink?: string | undefined;
}

/** Files with their folders. Links are followed. */
export interface FileTree extends Files {
  has(path: string): boolean;
  /** Returns the names in a folder; '' is the root. `undefined` for other paths. */
  folder(path: string): Readonly<Folder> | undefined;
  real(path: string): string;
  isLink(path: string): boolean;
}

type Folder = Record<'files' | 'folders' | 'linked', string[]>;

const READ = /\.(ya?ml|json)$/;

export function createTree(files: Files): FileTree {
  const { links = new Map<string, string>() } = files;
  const known = new Set(files.paths.filter((path) => !links.has(path)));
  const folders = new Map<string, Folder>();
  const folderAt = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const missing = foldersFrom(path).filter((folder) => !folders.has(folder));
    for (const folder of missing.reverse()) {
      if (folder !== '') folders.get(parentOf(folder))?.folders.push(baseOf(folder));
      folders.set(folder, { files: [], folders: [], linked: [] });
    }
    return folders.get(path) as Folder;
  };
  folderAt('');
  for (const path of known) folderAt(parentOf(path)).files.push(baseOf(path));
  const real = (path: string): string => {
    if (links.size === 0 || path === '') return path;
    const rest = path.split('/').reverse();
    let followed = 0;
    let at = '';
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      const next = joinPath(at, name);
      const target = followed === MAX_LINKS ? undefined : links.get(next);
      if (target === undefined) {
        at = next;
        continue;
      }
      followed += 1;
      at = '';
      const parts = target.split('/').filter((part) => part !== '');
      for (const part of parts.reverse()) rest.push(part);
    }
    return at;
  };
  const linkedFolders = new Set([...links.keys()].filter((path) => folders.has(real(path))));
  for (const path of links.keys()) {
    const { files: own, linked } = folderAt(parentOf(path));
    (linkedFolders.has(path) ? linked : own).push(baseOf(path));
  }
  return {
    ...files,
    text: (path) => (known.has(real(path)) ? files.text(real(path)) : undefined),
    has: (path) => known.has(real(path)),
    folder: (path) => folders.get(real(path)),
    real,
    isLink: (path) => links.size > 0 && path !== '' && links.has(joinPath(real(parentOf(path)), baseOf(path))),
  };
}

interface WalkOptions {
  exclude?: readonly string[];
  recurse?: boolean;
  /** Whether every entry is read except links to folders, as Argo CD does; defaults to false. */
  asArgoCd?: boolean;
}

/** The YAML and JSON files at a path, as all commands read them: without dot entries, node_modules and golden tests. */
export function readPath(
  tree: FileTree,
  path: string,
  { exclude = [], recurse = true, asArgoCd = false }: WalkOptions = {},
): FoundText[] {
  const tests = exclude.map((glob) => globTest(glob));
  const isExcluded = (one: string): boolean => tests.some((test) => test(one));
  const entered = new Set<string>();
  const read = (file: string, found?: FoundText['found']): FoundText[] => {
    const text = tree.text(file);
    if (text === undefined || (!asArgoCd && entered.has(tree.real(file)))) return [];
    entered.add(tree.real(file));
    return [{ file, text, ...(found && { found }) }];
  };
  if (tree.has(path)) return isExcluded(path) ? [] : read(path);
  const below = (folder: string, chart: string | undefined): FoundText[] => {
    const entries = tree.folder(folder);
    if (entries === undefined || entered.has(tree.real(folder))) return [];
    entered.add(tree.real(folder));
    const textOfTest = (): string => tree.text(joinPath(folder, 'test.yaml')) ?? '';
    if (!asArgoCd && folder !== path && isGoldenTest(entries.files, textOfTest)) return [];
    const isChart = folder !== path && entries.files.some((name) => /^Chart\.ya?ml$/.test(name));
    const within = isChart ? folder : chart;
    const isTaken = (name: string): boolean => {
      const at = joinPath(folder, name);
      if (!asArgoCd && (name.startsWith('.') || name === 'node_modules')) return false;
      return !isExcluded(at) && !isExcluded(path === '' ? at : at.slice(path.length + 1));
    };
    const kindOf = (file: string): FoundText['found'] =>
      within !== undefined && file.startsWith(`${within}/templates/`) ? 'chart' : 'folder';
    const folders = recurse ? [...entries.folders, ...(asArgoCd ? [] : entries.linked)].sort() : [];
    const own = entries.files.filter((name) => READ.test(name) && isTaken(name)).map((name) => joinPath(folder, name));
    return [
      ...own.flatMap((file) => read(file, kindOf(file))),
      ...folders.filter(isTaken).flatMap((name) => below(joinPath(folder, name), within)),
    ];
  };
  return below(path, undefined).sort((a, b) => (a.file < b.file ? -1 : 1));
}

const FILE = '.sourceignore';

/** What source-controller leaves out unless a later pattern includes it (fluxcd/pkg: sourceignore). */
const DEFAULTS = [
  '.git/',
  '.gitignore',
  '.gitmodules',
  '.gitattributes',
  '*.jpg',
  '*.jpeg',
  '*.gif',
  '*.png',
  '*.wmv',
  '*.flv',
  '*.tar.gz',
  '*.zip',
  '.github/',
  '.circleci/',
  '.travis.yml',
  '.gitlab-ci.yml',
  'appveyor.yml',
  '.drone.yml',
  'cloudbuild.yaml',
  'codeship-services.yml',
  'codeship-steps.yml',
  '**/.goreleaser.yml',
  '**/.sops.yaml',
  '**/.flux.yaml',
];

/** The files of a tree with patterns, in the order in which source-controller reads them: a folder before those in it. */
export const ignoreFiles = ({ paths }: Files): string[] =>
  paths
    .filter((path) => baseOf(path) === FILE)
    .map((path) => ({ path, steps: stepsOf(parentOf(path)) }))
    .sort((a, b) => compareSteps(a.steps, b.steps))
    .map(({ path }) => path);

const stepsOf = (path: string): string[] => (path === '' ? [] : path.split('/'));

function compareSteps(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((step, index) => step !== b[index]);
  if (at < 0 || b[at] === undefined) return a.length - b.length;
  return (a[at] as string) < (b[at] as string) ? -1 : 1;
}

/** The last pattern that matches a file decides; one of a folder does not hide those of its files. */
export function ignoredIn(files: Files, ignore: string): (path: string) => boolean {
  const budget = new GlobBudget();
  const read = (text: string, folder: string): Pattern[] =>
    text
      .split(/\r?\n/)
      .filter((line) => !line.startsWith('#') && line.trim() !== '')
      .map((line) => readPattern(line, stepsOf(folder), budget));
  const patterns = [
    ...DEFAULTS.map((line) => readPattern(line, [], budget)),
    ...ignoreFiles(files).flatMap((path) => read(files.text(path) ?? '', parentOf(path))),
    ...read(ignore, ''),
  ].reverse();
  return (path) => patterns.find(({ matches }) => matches(path.split('/')))?.excludes === true;
}

export const isLeftOutByDefault: (path: string) => boolean = (path) =>
  ignoredIn({ paths: [], text: () => undefined }, '')(path);

interface Pattern {
  excludes: boolean;
  matches: (path: readonly string[]) => boolean;
}

type Step = '' | '**' | ((name: string) => boolean);

/** Reads a pattern as go-git does, which differs from git. */
function readPattern(line: string, domain: readonly string[], budget: GlobBudget): Pattern {
  const excludes = !line.startsWith('!');
  let text = excludes ? line : line.slice(1);
  if (!text.endsWith('\\ ')) text = withoutTrailing(text, ' ');
  const isFolder = text.endsWith('/');
  if (isFolder) text = text.slice(0, -1);
  const isPath = text.includes('/');
  const steps = text.split('/').map((step): Step => {
    if (isPath && (step === '' || step === '**')) return step;
    return isPath && step.includes('**') ? () => false : testOf(step, budget);
  });
  const inside = isPath ? matchesPath : matchesName;
  const isBelow = (path: readonly string[]): boolean =>
    path.length > domain.length && domain.every((step, index) => path[index] === step);
  return { excludes, matches: (path) => isBelow(path) && inside(steps, path.slice(domain.length), isFolder) };
}

function testOf(step: string, budget: GlobBudget): (name: string) => boolean {
  if (!/[*?[\\]/.test(step)) return (name) => name === step;
  // `[!a]` has two characters in Go, and `[^a]` is the negation.
  const pattern = step.replace(/\[!([^\]]+)\]/g, '[$1!]');
  return patternTest(pattern, { matchesSlash: false, braces: false }, budget);
}

/** A pattern without a slash matches the file, or a folder above it. */
function matchesName([step]: readonly Step[], path: readonly string[], isFolder: boolean): boolean {
  if (typeof step !== 'function') return false;
  const at = path.findIndex(step);
  return at >= 0 && !(isFolder && at === path.length - 1);
}

/** A pattern with a slash matches from its folder on: the file, or a folder above it. */
function matchesPath(steps: readonly Step[], path: readonly string[], isFolder: boolean): boolean {
  let at = 0;
  let isMatched = false;
  let skips = false;
  for (const [index, step] of steps.entries()) {
    if (step === '') skips = false;
    else if (step === '**') {
      if (index === steps.length - 1) break;
      skips = true;
    } else if (skips) {
      skips = false;
      const found = path.slice(at).findIndex(step);
      if (found < 0 && at >= path.length) return false;
      isMatched = found >= 0;
      at = isMatched ? at + found + 1 : path.length;
    } else {
      if (at >= path.length || !step(path[at] as string)) return false;
      at += 1;
      isMatched = true;
    }
  }
  return isMatched && !(isFolder && at === path.length);
}
