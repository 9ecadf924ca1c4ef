import { addTo } from '../../../core/model/group-by.ts';
import { type Document, isKubeObject } from '../../../core/model/object.ts';
import { isGoldenTest } from '../../input/index.ts';
import { readPolicyPaths } from '../../rules/index.ts';
import { type DefinitionOverride, overriddenDefinitions } from './definition-overrides.ts';
import type { SourceFile } from './file.ts';

/**
 * The files of a project, as `render-rgd validate FOLDER` would validate them, or those of a golden test. Their kinds
 * may be defined in the nearest other project.
 */
export interface Package {
  folder: string;
  files: readonly SourceFile[];
  /** The other files of the workspace that define the kinds of these. */
  beside: readonly SourceFile[];
  /** The other files of the workspace below the folder, such as those of golden tests. */
  around: readonly SourceFile[];
  /** It is a golden test. */
  isTest: boolean;
  /** The nearest render-rgd.yaml. */
  rules: SourceFile | undefined;
  objects: readonly Document[];
  /** Those of the admission policies that the render-rgd.yaml names. */
  policies: readonly Document[];
  /** The other definitions, including last valid versions. */
  definitions: readonly Document[];
}

/** The locations of definitions that take precedence: URIs of files or folders. */
export type Preferred = readonly string[];

/** What a workspace knows besides its files. */
export interface ProjectContext {
  /** The folders of repositories and of the workspace. */
  roots: ReadonlySet<string>;
  preferred: Preferred;
  /** The relevant kinds, as `Kind.group`. */
  relevant: ReadonlySet<string>;
  /** Folders of projects that had relevant files. */
  known: ReadonlySet<string>;
}

/** Plans the packages of a workspace. Projects without relevant files are ignored. */
export function groupPackages(files: Iterable<SourceFile>, surroundings: ProjectContext): Package[] {
  const all = [...files];
  const definers = new Map<string, SourceFile[]>();
  const settings = new Map<string, SourceFile>();
  const names = new Map<string, Map<string, SourceFile>>();
  const overrides: DefinitionOverride[] = [];
  for (const file of all) {
    const folder = folderOf(file.uri);
    const name = file.uri.slice(folder.length + 1);
    if (name === 'render-rgd.yaml') settings.set(folder, file);
    names.set(folder, (names.get(folder) ?? new Map()).set(name, file));
    for (const one of file.facts.overrides) overrides.push(one);
    for (const kind of file.facts.defines) addTo(definers, kind, file);
  }
  const tests = new Set(
    [...names]
      .filter(([, own]) => isGoldenTest([...own.keys()], () => own.get('test.yaml')?.text ?? ''))
      .map(([one]) => one),
  );
  const projects = new Set([
    ...[...settings].filter(([, file]) => isRules(file)).map(([one]) => one),
    ...surroundings.roots,
  ]);
  const byProject = new Map<string, SourceFile[]>();
  const projectOf = createProjectFinder(tests, projects);
  for (const file of all) addTo(byProject, projectOf(folderOf(file.uri)), file);
  return [...byProject].flatMap(([folder, found]) => {
    const own = found.filter(({ facts }) => !(tests.has(folder) && facts.isTest));
    if (!surroundings.known.has(folder) && !own.some((file) => isClaimed(file, surroundings.relevant))) return [];
    const sorted = own.sort((a, b) => (a.uri < b.uri ? -1 : 1));
    const first = (from: string): Preferred => [...surroundings.preferred, ...overriddenDefinitions(from, overrides)];
    const around = all.filter((file) => file.uri.startsWith(`${folder}/`) && !found.includes(file));
    return [
      {
        ...packageOf(folder, sorted, definers, first),
        policies: policiesOf(nearestAbove(folder, settings), all),
        around,
        isTest: tests.has(folder),
        rules: nearestAbove(folder, settings),
      },
    ];
  });
}

/** A functionConfig may have the same name. */
const isRules = ({ read }: SourceFile): boolean => !read.documents.some(({ object }) => isKubeObject(object));

/** Returns the project of a folder: a golden test, or the nearest project above that reads it; or else the folder. */
function createProjectFinder(tests: ReadonlySet<string>, projects: ReadonlySet<string>): (folder: string) => string {
  return (folder) => {
    let isRead = true;
    for (let at = folder; at.length > 'file://'.length; at = folderOf(at)) {
      if (tests.has(at) || (isRead && projects.has(at))) return at;
      const name = at.slice(at.lastIndexOf('/') + 1);
      if (name.startsWith('.') || name === 'node_modules') isRead = false;
    }
    return folder;
  };
}

/**
 * Reports whether a file is relevant: it contains an RGD, a ResourceSet, or an instance of a kind that an RGD or a CRD
 * defines.
 */
export const isClaimed = ({ facts }: SourceFile, relevant: ReadonlySet<string>): boolean =>
  facts.isOurs || [...facts.kinds].some((kind) => relevant.has(kind));

function packageOf(
  folder: string,
  sorted: readonly SourceFile[],
  definers: ReadonlyMap<string, readonly SourceFile[]>,
  preferredFrom: (folder: string) => Preferred,
): Omit<Package, 'rules' | 'around' | 'isTest' | 'policies'> {
  const own = new Set(sorted.flatMap(({ facts }) => [...facts.defines]));
  const beside = new Set<SourceFile>();
  const wanted = sorted.flatMap(({ uri, facts }) => [...facts.uses].map((kind) => ({ kind, from: folderOf(uri) })));
  const seen = new Set(own);
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (seen.has(next.kind)) continue;
    seen.add(next.kind);
    const file = nearestFile(next.from, definers.get(next.kind) ?? [], preferredFrom(next.from));
    if (file === undefined || beside.has(file) || sorted.includes(file)) continue;
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

function policiesOf(rules: SourceFile | undefined, all: readonly SourceFile[]): Document[] {
  const paths = readPolicyPaths(rules?.read.documents[0]?.object, () => {});
  const roots = paths.map((path) => `${folderOf(rules?.uri ?? '')}/${path.replace(/^\.\/|\/$/g, '')}`);
  const isNamed = ({ uri }: SourceFile): boolean => roots.some((root) => uri === root || uri.startsWith(`${root}/`));
  return roots.length === 0 ? [] : all.filter(isNamed).flatMap(({ read }) => read.documents);
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
