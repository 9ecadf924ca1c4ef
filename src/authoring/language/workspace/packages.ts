import type { Document } from '../../../core/model/object.ts';
import type { SourceFile } from './file.ts';
import { type Steering, steeredFor } from './steering.ts';

/**
 * The files of one folder, as `render-rgd validate FOLDER` would validate them. Their kinds may be defined in the
 * nearest other folder.
 */
export interface Package {
  folder: string;
  files: readonly SourceFile[];
  /** The files that define the kinds of these. */
  beside: readonly SourceFile[];
  /** The nearest render-rgd.yaml. */
  rules: SourceFile | undefined;
  objects: readonly Document[];
  /** The other definitions, including last valid versions. */
  definitions: readonly Document[];
}

/** The locations of definitions that take precedence: URIs of files or folders. */
export type Preferred = readonly string[];

/** Plans the packages of a workspace. Folders without relevant files are ignored. */
export function planPackages(files: Iterable<SourceFile>, preferred: Preferred): Package[] {
  const folders = new Map<string, SourceFile[]>();
  const definers = new Map<string, SourceFile[]>();
  const settings = new Map<string, SourceFile>();
  const steerings: Steering[] = [];
  for (const file of files) {
    if (file.uri.endsWith('/render-rgd.yaml')) settings.set(folderOf(file.uri), file);
    const folder = folderOf(file.uri);
    put(folders, folder, file);
    for (const one of file.facts.steers) steerings.push(one);
    for (const kind of file.facts.defines) put(definers, kind, file);
  }
  const tests = new Set(
    [...folders].filter(([, all]) => all.some(({ uri }) => uri.endsWith('/test.yaml'))).map(([one]) => one),
  );
  return [...folders].flatMap(([folder, all]) => {
    const own = all.filter(({ facts }) => !(tests.has(folder) && facts.isTest));
    if (!own.some((file) => isClaimed(file, definers))) return [];
    const first = [...preferred, ...steeredFor(folder, steerings)];
    return [{ ...packageOf(folder, own, definers, first), rules: nearestAbove(folder, settings) }];
  });
}

/**
 * Reports whether a file is relevant: it contains an RGD, a ResourceSet, or an instance of a kind that an RGD or a CRD
 * defines.
 */
const isClaimed = ({ facts }: SourceFile, definers: { has(kind: string): boolean }): boolean =>
  facts.isOurs || [...facts.kinds].some((kind) => definers.has(kind));

function packageOf(
  folder: string,
  files: readonly SourceFile[],
  definers: ReadonlyMap<string, readonly SourceFile[]>,
  preferred: Preferred,
): Omit<Package, 'rules'> {
  const sorted = [...files].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const own = new Set(sorted.flatMap(({ facts }) => [...facts.defines]));
  const beside = new Set<SourceFile>();
  const wanted = sorted.flatMap(({ facts }) => [...facts.uses].map((kind) => ({ kind, from: folder })));
  const seen = new Set(own);
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (seen.has(next.kind)) continue;
    seen.add(next.kind);
    const file = nearestFile(next.from, definers.get(next.kind) ?? [], preferred);
    if (file === undefined || beside.has(file) || files.includes(file)) continue;
    beside.add(file);
    for (const kind of file.facts.uses) wanted.push({ kind, from: folderOf(file.uri) });
  }
  return {
    folder,
    files: sorted,
    beside: [...beside],
    objects: sorted.flatMap(({ read }) => read.documents),
    definitions: [
      ...sorted.flatMap(({ read }) => [...read.carried.values()]),
      ...[...beside].flatMap(({ read }) => [...read.documents, ...read.carried.values()]),
    ],
  };
}

function nearestAbove(folder: string, files: ReadonlyMap<string, SourceFile>): SourceFile | undefined {
  for (let at = folder; at.length > 'file://'.length; at = folderOf(at)) {
    const found = files.get(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the file nearest to a folder; preferred ones come first. */
function nearestFile(folder: string, files: readonly SourceFile[], preferred: Preferred): SourceFile | undefined {
  const rank = ({ uri }: SourceFile): number[] => {
    const common = commonFolders(folder, uri);
    const at = preferred.findIndex((one) => uri === one || uri.startsWith(`${one.replace(/\/$/, '')}/`));
    return [at < 0 ? preferred.length : at, -common, uri.split('/').length];
  };
  return [...files].sort((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    const differs = one.findIndex((value, index) => value !== other[index]);
    return differs < 0 ? (a.uri < b.uri ? -1 : 1) : (one[differs] as number) - (other[differs] as number);
  })[0];
}

function commonFolders(one: string, other: string): number {
  const [a, b] = [one.split('/'), folderOf(other).split('/')];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs < 0 ? a.length : differs;
}

export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

function put<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [item]);
  else known.push(item);
}
