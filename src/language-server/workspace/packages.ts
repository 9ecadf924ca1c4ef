import { readPolicyPaths } from '../../check/rules/index.ts';
import { addTo, groupBy } from '../../core/model/group-by.ts';
import { type Document, isKubeObject } from '../../core/model/object.ts';
import { baseOf, foldersFrom, isBelow, parentOf } from '../../core/text/paths.ts';
import { isGoldenTest } from '../../describe/input/index.ts';
import { overriddenDefinitions } from './definition-overrides.ts';
import type { SourceFile } from './file.ts';
import type { IgnoredPaths } from './ignored.ts';

/** The files of a project, as `validate FOLDER` reads them, or of a golden test. Others may define their kinds. */
export interface Package {
  folder: string;
  files: readonly SourceFile[];
  /** The other files of the workspace that define the kinds of these. */
  beside: readonly SourceFile[];
  /** The other files of the workspace below the folder, such as those of golden tests. */
  around: readonly SourceFile[];
  isTest: boolean;
  rules: SourceFile | undefined;
  objects: readonly Document[];
  /** Those of the admission policies that the render-rgd.yaml names. */
  policies: readonly Document[];
  /** The other definitions, including last valid versions. */
  definitions: readonly Document[];
}

/** What a workspace knows besides its files. */
export interface ProjectContext {
  /** The folders of repositories and of the workspace. */
  roots: ReadonlySet<string>;
  /** The locations of definitions that take precedence: URIs of files or folders. */
  preferred: readonly string[];
  /** The relevant kinds, as `Kind.group`. */
  relevant: ReadonlySet<string>;
  /** Folders of projects that had relevant files. */
  known: ReadonlySet<string>;
  /** What git ignores: an open file of it is a package of its own. */
  ignored: Pick<IgnoredPaths, 'has'>;
  /** The kinds that earlier versions of open files declared. */
  declared: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Plans the packages of a workspace. Projects without relevant files are ignored. */
export function groupPackages(given: readonly SourceFile[], context: ProjectContext): Package[] {
  const { roots, preferred, relevant, known, ignored } = context;
  const apart = new Set(given.filter(({ uri }) => ignored.has(uri)));
  const all = given.filter((file) => !apart.has(file));
  const definers = new Map<string, SourceFile[]>();
  for (const file of all) for (const kind of file.facts.defines) addTo(definers, kind, file);
  const settings = new Map(
    all.filter(({ uri }) => baseOf(uri) === 'render-rgd.yaml').map((file) => [parentOf(file.uri), file]),
  );
  const folders = [...groupBy(all, ({ uri }) => parentOf(uri))];
  const tests = new Set(folders.filter(([, own]) => isTestFolder(own)).map(([folder]) => folder));
  const projects = new Set([...roots, ...[...settings].filter(([, file]) => isRules(file)).map(([folder]) => folder)]);
  const overrides = all.flatMap(({ facts }) => facts.overrides);
  const nearest = (kind: string, from: string): SourceFile | undefined =>
    nearestFile(from, definers.get(kind) ?? [], [...preferred, ...overriddenDefinitions(from, overrides)]);
  const groups: [string, SourceFile[]][] = [
    ...groupBy(all, ({ uri }) => projectOf(parentOf(uri), tests, projects)),
    ...[...apart].map((file): [string, SourceFile[]] => [file.uri, [file]]),
  ];
  return groups.flatMap(([folder, found]) => {
    const isTest = tests.has(folder);
    const own = found.filter(({ facts }) => !(isTest && facts.isTest));
    if (!known.has(folder) && !own.some((file) => isClaimed(file, relevant))) return [];
    const files = own.sort((a, b) => (a.uri < b.uri ? -1 : 1));
    const declared = new Set(files.flatMap((file) => [...declaredKinds(file, context.declared)]));
    const beside = filesBeside(files, declared, nearest);
    const ofPackage = new Set(found);
    const rules = upwards(folder)
      .map((at) => settings.get(at))
      .find((file) => file !== undefined);
    return [
      {
        folder,
        files,
        beside,
        isTest,
        rules,
        around: all.filter((file) => !ofPackage.has(file) && file.uri.startsWith(`${folder}/`)),
        policies: policiesOf(rules, all),
        ...documentsOf(files, beside),
      },
    ];
  });
}

/** Returns the packages with another version of a file, if it makes no difference to their division. */
export function withVersion(
  packages: readonly Package[],
  before: SourceFile,
  after: SourceFile,
): Package[] | undefined {
  if (dividesWorkspace(before) || !haveSameFacts(before, after)) return undefined;
  if (packages.some(({ policies }) => policies.length > 0)) return undefined;
  const replace = (files: readonly SourceFile[]): readonly SourceFile[] =>
    files.includes(before) ? files.map((file) => (file === before ? after : file)) : files;
  return packages.map((one) => {
    const files = replace(one.files);
    const beside = replace(one.beside);
    const around = replace(one.around);
    const isSame = files === one.files && beside === one.beside;
    return isSame ? { ...one, around } : { ...one, files, beside, around, ...documentsOf(files, beside) };
  });
}

/** Reports whether the text of a file may decide over the packages of others. */
const dividesWorkspace = ({ uri, facts }: SourceFile): boolean =>
  facts.overrides.length > 0 || /\/(?:render-rgd|test)\.yaml$/.test(uri);

/** Reports whether two versions of a file have the same relation to the workspace. */
function haveSameFacts({ facts: one }: SourceFile, { facts: other }: SourceFile): boolean {
  return (
    sameMembers(one.defines, other.defines) &&
    sameMembers(one.uses, other.uses) &&
    sameMembers(one.kinds, other.kinds) &&
    sameItems(
      one.rgds.map(({ kind }) => kind),
      other.rgds.map(({ kind }) => kind),
    ) &&
    one.isOurs === other.isOurs &&
    other.overrides.length === 0
  );
}

const sameMembers = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));

/** Returns the documents of the files of a package. */
function documentsOf(
  files: readonly SourceFile[],
  beside: readonly SourceFile[],
): Pick<Package, 'objects' | 'definitions'> {
  return {
    objects: files.flatMap(({ read }) => read.documents),
    definitions: [
      ...files.flatMap(({ read }) => [...read.carried.values()]),
      ...beside.flatMap(({ read }) => [...read.documents, ...read.carried.values()]),
    ],
  };
}

const isTestFolder = (files: readonly SourceFile[]): boolean =>
  isGoldenTest(
    files.map(({ uri }) => baseOf(uri)),
    () => files.find(({ uri }) => baseOf(uri) === 'test.yaml')?.text ?? '',
  );

/** A functionConfig may have the same name. */
const isRules = ({ read }: SourceFile): boolean => !read.documents.some(({ object }) => isKubeObject(object));

/** Returns the project of a folder: a golden test, or the nearest project above that reads it; or else the folder. */
function projectOf(folder: string, tests: ReadonlySet<string>, projects: ReadonlySet<string>): string {
  let isRead = true;
  for (const at of upwards(folder)) {
    if (tests.has(at) || (isRead && projects.has(at))) return at;
    if (baseOf(at).startsWith('.') || baseOf(at) === 'node_modules') isRead = false;
  }
  return folder;
}

/** Reports whether a file has an RGD, a ResourceSet, or an instance of a kind that an RGD or a CRD defines. */
export const isClaimed = ({ facts }: SourceFile, relevant: ReadonlySet<string>): boolean =>
  facts.isOurs || [...facts.kinds].some((kind) => relevant.has(kind));

/** Returns the kinds that a file declares, also with errors, and those that it declared while it is edited. */
const declaredKinds = ({ uri, facts }: SourceFile, declared: ProjectContext['declared']): ReadonlySet<string> =>
  new Set([...facts.defines, ...facts.rgds.map(({ kind }) => kind), ...(declared.get(uri) ?? [])]);

/** Returns the other files that define the kinds of some files, and of each other; not those that a project declares. */
function filesBeside(
  files: readonly SourceFile[],
  declared: ReadonlySet<string>,
  nearest: (kind: string, from: string) => SourceFile | undefined,
): SourceFile[] {
  const beside = new Set<SourceFile>();
  const wanted = files.flatMap(({ uri, facts }) => [...facts.uses].map((kind) => ({ kind, from: parentOf(uri) })));
  const seen = new Set(declared);
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (seen.has(next.kind)) continue;
    seen.add(next.kind);
    const file = nearest(next.kind, next.from);
    if (file === undefined || beside.has(file) || files.includes(file)) continue;
    beside.add(file);
    for (const kind of file.facts.uses) wanted.push({ kind, from: parentOf(file.uri) });
  }
  return [...beside];
}

function policiesOf(rules: SourceFile | undefined, all: readonly SourceFile[]): Document[] {
  const paths = readPolicyPaths(rules?.read.documents[0]?.object, () => {});
  const roots = paths.map((path) => `${parentOf(rules?.uri ?? '')}/${path.replace(/^\.\/|\/$/g, '')}`);
  const named = roots.length === 0 ? [] : all.filter(({ uri }) => roots.some((root) => isBelow(uri, root)));
  return named.flatMap(({ read }) => read.documents);
}

const upwards = (folder: string): string[] => foldersFrom(folder).filter((at) => at.length > 'file://'.length);

/** Returns the file nearest to a folder; preferred ones come first. */
function nearestFile(folder: string, files: readonly SourceFile[], preferred: readonly string[]) {
  const rank = ({ uri }: SourceFile): number[] => {
    const at = preferred.findIndex((one) => isBelow(uri, one.replace(/\/$/, '')));
    return [at < 0 ? preferred.length : at, -commonFolders(folder, uri), uri.split('/').length];
  };
  return [...files].sort((a, b) => {
    const one = rank(a);
    const other = rank(b);
    const differs = one.findIndex((value, index) => value !== other[index]);
    return differs < 0 ? (a.uri < b.uri ? -1 : 1) : (one[differs] as number) - (other[differs] as number);
  })[0];
}

function commonFolders(one: string, other: string): number {
  const a = one.split('/');
  const b = parentOf(other).split('/');
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs < 0 ? a.length : differs;
}

/** Reports whether two lists have the same items. */
export const sameItems = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
