import { Collector, isError, type Report } from '../../core/diagnostics/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import { getOrCompute, lazily, onceFor } from '../../core/model/lazily.ts';
import { type Document, groupKind, groupVersionKind, type InputObject } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { getAt, textOf } from '../../core/model/value.ts';
import { type FoundText, type Reader, type TextsAround, tracesIn } from '../../describe/input/index.ts';
import { outlineOf } from '../../kro/definition/index.ts';
import { objectsIn, readStreams } from '../../yaml/parse/index.ts';
import type { Written } from './elsewhere.ts';
import { createTree, type Files, type FileTree, ignoredIn, ignoreFiles } from './files.ts';

/** Thrown if a source has no objects here: its type says why, and the message gives the reason. */
export class NotRendered extends Error {
  constructor(
    reason: string,
    readonly type: 'none' | 'fails' = 'none',
    readonly elsewhere?: Written,
  ) {
    super(reason);
  }
}

export const rejected = (reason: string): NotRendered => new NotRendered(reason, 'fails');

export interface Repository {
  tree: FileTree;
  parse: NonNullable<Reader['parse']>;
  /** Returns the documents of a file, as far as it can be read, and the objects among them. */
  documentsOf(path: string): readonly Document[];
  objectsOf(path: string): readonly InputObject[];
  /** Returns the first error of a file that cannot be read; `undefined` if it can. */
  faultOf(path: string): Report | undefined;
  /** Returns the YAML and JSON files that may be manifests and contain a word. */
  manifestsWith(word: string): readonly string[];
  /** Returns those that contain each of these words, which consist of letters and digits. */
  manifestsNamingWords(words: ReadonlySet<string>): ReadonlyMap<string, readonly string[]>;
  /** Returns those that may contain an object of a kind and name. */
  manifestsNaming(kind: string, name: string): readonly string[];
  /** The files that define kinds; for an artifact those of the whole repository. */
  readonly kinds: KindIndex;
  /** Returns the files that source-controller puts into the artifact of a GitRepository with this `spec.ignore`. */
  artifact(ignore: string): Repository;
  traceFor: NonNullable<RenderInput['traceFor']>;
}

interface Parsed {
  text: string;
  documents: readonly Document[];
  reports: readonly Report[];
}

/** Shares a cache: a file that both versions have is parsed once, and an RGD in it is compiled once. */
export function createRepositories(): (files: Files) => Repository {
  const known = new Map<string, Parsed[]>();
  const parseOne = ({ file, text }: FoundText, strict: boolean): Parsed => {
    const key = `${strict} ${file}`;
    const versions = known.get(key) ?? [];
    const found = versions.find((one) => one.text === text);
    if (found !== undefined) return found;
    const own = new Collector();
    const parsed = { text, documents: readStreams([{ file, text }], own, strict), reports: own.all };
    known.set(key, [...versions, parsed]);
    return parsed;
  };
  const open = (files: Files, whole?: Repository): Repository => {
    const tree = createTree(files);
    const documentsOf = (path: string): readonly Document[] => {
      const text = tree.text(path);
      return text === undefined ? [] : parseOne({ file: path, text }, false).documents;
    };
    const kinds = lazily(() => whole?.kinds ?? indexKinds(own));
    const own: Repository = {
      tree,
      get kinds() {
        return kinds();
      },
      artifact: onceFor((ignore) => {
        if (ignore === '' && ignoreFiles(files).length === 0) return own;
        const isIgnored = ignoredIn(files, ignore);
        return open({ ...files, paths: files.paths.filter((path) => !isIgnored(path)) }, own);
      }),
      parse: (found, reports, strict) =>
        found.flatMap((one) => {
          const parsed = parseOne(one, strict);
          reports.addAll(parsed.reports);
          return parsed.documents;
        }),
      documentsOf,
      faultOf: (path) => {
        const text = tree.text(path);
        return text === undefined ? undefined : parseOne({ file: path, text }, false).reports.find(isError);
      },
      objectsOf: onceFor((path) => objectsIn(documentsOf(path))),
      ...createIndex(tree),
      traceFor: tracesIn(() => textsOf(tree)),
    };
    return own;
  };
  return (files) => open(files);
}

type Index = Pick<Repository, 'manifestsWith' | 'manifestsNamingWords' | 'manifestsNaming'>;

/** A name, with quotes; one with an anchor or a tag, an alias or a long text may be any name. */
const NAME_FIELD = /\bname["']?\s*:\s*["']?([^"'\s,}\]]*)/g;
const ANY = '';
const WORD = /[A-Za-z0-9]+/g;

function createIndex(tree: FileTree): Index {
  /** Without links, dot folders and node_modules. */
  const all = lazily(() =>
    tree.paths.filter(
      (path) => MANIFEST.test(path) && !/(^|\/)(\.[^/]*|node_modules)(\/|$)/.test(path) && !tree.isLink(path),
    ),
  );
  const manifestsWith = onceFor((word: string) => all().filter((path) => tree.text(path)?.includes(word)));
  const namesOf = onceFor((kind: string) => {
    const files = new Map<string, Set<string>>();
    for (const path of manifestsWith(kind)) {
      for (const [, name = ''] of (tree.text(path) ?? '').matchAll(NAME_FIELD)) {
        const key = /^[&*>|!]/.test(name) ? ANY : name;
        files.set(key, (files.get(key) ?? new Set()).add(path));
      }
    }
    return files;
  });
  return {
    manifestsWith,
    manifestsNamingWords: (words) => {
      const found = new Map<string, Set<string>>();
      for (const path of all()) {
        for (const [word] of (tree.text(path) ?? '').matchAll(WORD)) {
          if (words.has(word)) getOrCompute(found, word, () => new Set()).add(path);
        }
      }
      return new Map([...found].map(([word, paths]) => [word, [...paths]]));
    },
    manifestsNaming: (kind, name) => {
      const files = namesOf(kind);
      return [...new Set([...(files.get(name) ?? []), ...(files.get(ANY) ?? [])])].sort();
    },
  };
}

function* textsOf({ paths, isLink, text }: FileTree): TextsAround {
  for (const file of paths) if (MANIFEST.test(file) && !isLink(file)) yield { file, text: text(file) ?? '' };
  return undefined;
}

type KindIndex = ReadonlyMap<string, readonly KindFile[]>;

interface KindFile {
  path: string;
  /** The RGD or CRD. */
  definition: InputObject;
  isRgd: boolean;
  uses: readonly string[];
  isCluster: boolean;
}

function indexKinds({ manifestsWith, objectsOf }: Repository): KindIndex {
  const index = new Map<string, KindFile[]>();
  for (const path of manifestsWith('Definition')) {
    for (const definition of objectsOf(path)) {
      const { object } = definition;
      const { group, kind } = groupVersionKind(object);
      const isRgd = group === 'kro.run' && kind === 'ResourceGraphDefinition';
      if (!isRgd && kind !== 'CustomResourceDefinition') continue;
      const outline = outlineOf(object);
      const name = isRgd ? groupKind(outline) : crdKind(object);
      const scope = getAt(object, isRgd ? ['spec', 'schema', 'scope'] : ['spec', 'scope']);
      const uses = isRgd ? outline.nodes.map(groupKind) : [];
      addTo(index, name, { path, definition, isRgd, uses, isCluster: scope === 'Cluster' });
    }
  }
  return index;
}

const crdKind = (crd: InputObject['object']): string =>
  groupKind({ kind: textOf(getAt(crd, ['spec', 'names', 'kind'])), group: textOf(getAt(crd, ['spec', 'group'])) });

const MANIFEST = /\.(ya?ml|json)$/;

/** Returns the files that define kinds, and those that they render; of several, the one nearest to `folder`. */
export function definitionsFor(kinds: Iterable<string>, folder: string, { kinds: index }: Repository): string[] {
  const files = new Set<string>();
  // A set keeps the order of what is added while it is read.
  const wanted = new Set(kinds);
  for (const kind of wanted) {
    const nearest = nearestOf(index.get(kind) ?? [], folder);
    if (nearest === undefined) continue;
    files.add(nearest.path);
    for (const used of nearest.uses) wanted.add(used);
  }
  return [...files].sort();
}

function nearestOf(files: readonly KindFile[], folder: string): KindFile | undefined {
  const shared = ({ path }: KindFile): number => {
    const parts = folder.split('/');
    const differs = path.split('/').findIndex((part, index) => part !== parts[index]);
    return differs < 0 ? parts.length : differs;
  };
  return files.reduce<KindFile | undefined>(
    (best, file) => (best === undefined || shared(file) > shared(best) ? file : best),
    undefined,
  );
}

/** Only host and path count, so that https and ssh are equal. If no URL of this repository is known, all match. */
export function isSameRepository(url: string, urls: readonly string[]): boolean {
  return urls.length === 0 || urls.some((one) => normalized(one) === normalized(url));
}

const normalized = (url: string): string =>
  url
    .trim()
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/^([^/:]+):\d+\//, '$1/')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase();

/** A commit, a tag, or a version or range of versions, which Argo CD looks for among the tags. */
export function isPinned(revision: string, tags: ReadonlySet<string> = new Set()): boolean {
  if (/^[0-9a-f]{7,64}$/.test(revision) || revision.startsWith('refs/tags/') || tags.has(revision)) return true;
  return /^[v=~^<>! ]*\d+(\.(\d+|[x*]))*([-+ ,|].*)?$/i.test(revision) || revision === '*';
}
