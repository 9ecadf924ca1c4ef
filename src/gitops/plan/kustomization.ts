import { Collector, isError } from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { KUSTOMIZATION_FILES } from '../../core/model/kustomization.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { MAX_WALK_LEVELS } from '../../core/model/limits.ts';
import { type Document, identityOf, isKubeObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, textsOf, type Value } from '../../core/model/value.ts';
import { isBelow, joinPath, resolvePath } from '../../core/text/paths.ts';
import { isStringWhenPlain, resolvePlain } from '../../core/text/plain-scalar.ts';
import { entriesOf, type KustomizationEntries, runsRenderRgd } from '../../kubernetes/kustomization/index.ts';
import { type Edit, withEdits } from '../../yaml/edit/index.ts';
import { readTrees, visitScalars } from '../../yaml/tree/index.ts';
import type { Repository } from './repository.ts';
import { NotRendered, rejected } from './repository.ts';

export interface Kustomization {
  documents: readonly Document[];
  files: readonly string[];
  /** The functionConfig of render-rgd, of the outermost kustomization. */
  config: Value | undefined;
}

/** Fields that change only the order. */
const PLAIN = ['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'transformers', 'sortOptions'];

export class NeedsKustomize extends NotRendered {}

export const kustomizationFile = (folder: string, { tree }: Repository): string | undefined =>
  KUSTOMIZATION_FILES.map((name) => joinPath(folder, name)).find((path) => tree.has(path));

export function kustomizationIn(
  folder: string,
  repository: Repository,
): (KustomizationEntries & { file: string }) | undefined {
  const file = kustomizationFile(folder, repository);
  const entries = file === undefined ? undefined : entriesOf(repository.documentsOf(file)[0]?.object);
  return file === undefined || entries === undefined ? undefined : { ...entries, file };
}

/** What was read of a repository, by folder: many applications may have one folder. */
const outcomes = new WeakMap<Repository, Map<string, Kustomization | NotRendered>>();

/** Reads one that only lists files, folders and render-rgd. @throws NotRendered if it does more, or is rejected */
export function readKustomization(folder: string, repository: Repository, isFlux = false): Kustomization {
  const known = getOrCompute(outcomes, repository, () => new Map());
  const outcome = getOrCompute(known, `${isFlux} ${folder}`, () => outcomeOf(folder, repository, isFlux));
  if (outcome instanceof NotRendered) throw outcome;
  return outcome;
}

function outcomeOf(folder: string, repository: Repository, isFlux: boolean): Kustomization | NotRendered {
  try {
    return readListedIn(folder, repository, isFlux);
  } catch (error) {
    if (error instanceof NotRendered) return error;
    throw error;
  }
}

function readListedIn(folder: string, repository: Repository, isFlux: boolean): Kustomization {
  const files = new Set<string>();
  const { documents, transformers } = listed(folder, { repository, files, open: [], known: new Map(), isFlux });
  const configs = transformers.filter(runsRenderRgd);
  if (configs.length !== transformers.length) throw new NeedsKustomize('it has other transformers');
  if (configs.length > 1) throw new NeedsKustomize('it runs render-rgd more than once');
  const seen = new Set<string>();
  for (const { object } of documents) {
    if (!isKubeObject(object)) continue;
    const id = identityOf(object);
    if (seen.has(id)) throw rejected(`it lists ${object.kind} ${String(get(get(object, 'metadata'), 'name'))} twice`);
    seen.add(id);
  }
  return { documents, files: [...files], config: configs[0] };
}

export function runsFunction(folder: string, repository: Repository): boolean {
  const entries = kustomizationIn(folder, repository)?.transformers ?? [];
  const reading = { repository, files: new Set<string>(), open: [repository.tree.real(folder)], known: new Map() };
  const configs = attempt(() => entries.flatMap((entry) => configsOf(entry, folder, reading)), NotRendered);
  return configs?.some(runsRenderRgd) === true;
}

/** The files and folders that kustomize-controller lists for a folder without a kustomization; else the folder. */
export function fluxParts(folder: string, repository: Repository): { files: string[]; folders: string[] } {
  const { tree } = repository;
  const found: { files: string[]; folders: string[] } = { files: [], folders: [] };
  const visit = (at: string): void => {
    const entries = tree.folder(at);
    if (hasKustomization(at, repository)) found.folders.push(at);
    else if (entries !== undefined) {
      const own = entries.files.filter((name) => /\.ya?ml$/.test(name) && !IGNORED.test(name));
      const paths = own.map((name) => joinPath(at, name));
      for (const path of paths) if (tree.has(path) && !tree.isLink(path)) found.files.push(path);
      for (const name of entries.folders) if (!IGNORED_FOLDERS.includes(name)) visit(joinPath(at, name));
    }
  };
  visit(folder);
  return found;
}

export const hasKustomization = (folder: string, repository: Repository): boolean =>
  kustomizationFile(folder, repository) !== undefined;

/** Returns the files and folders that a source of kustomize builds. */
export const partsOf = (
  { path, flux }: { path: string; flux?: true },
  repository: Repository,
): { files: string[]; folders: string[] } => (flux ? fluxParts(path, repository) : { files: [], folders: [path] });

/** Returns a link that a kustomization reads, directly or through another one; source-controller leaves links out. */
export function linkIn(folder: string, repository: Repository): string | undefined {
  const { tree } = repository;
  if (tree.links === undefined || tree.links.size === 0) return undefined;
  const seen = new Set([folder]);
  // A set keeps the order of what is added while it is read.
  for (const at of seen) {
    const { listed = [], parts = [] } = kustomizationIn(at, repository) ?? {};
    for (const name of [...listed, ...parts]) {
      const path = resolvePath(at, name);
      if (path === undefined) continue;
      if (tree.real(path) !== path) return path;
      if (tree.folder(path) !== undefined) seen.add(path);
    }
  }
  return undefined;
}

/** The fields of a kustomization that list configurations of plugins. */
const PLUGINS: readonly string[] = ['generators', 'transformers', 'validators'];

/** Returns the kind of a plugin that a kustomization runs, which is neither a part of kustomize nor render-rgd. */
export function externalPlugin(folder: string, repository: Repository): string | undefined {
  const { tree } = repository;
  const seen = new Set([tree.real(folder)]);
  // A set keeps the order of what is added while it is read.
  for (const at of seen) {
    const { value, listed = [] } = kustomizationIn(at, repository) ?? {};
    const entries = PLUGINS.flatMap((field) => textsOf(get(value, field)));
    for (const { object } of entries.flatMap((entry) => configurationsIn(entry, at, repository))) {
      if (isKubeObject(object) && object.apiVersion !== 'builtin' && !runsRenderRgd(object)) return object.kind;
    }
    for (const name of listed) {
      const path = resolvePath(at, name);
      if (path !== undefined && tree.folder(path) !== undefined) seen.add(tree.real(path));
    }
  }
  return undefined;
}

/** Returns the configurations of plugins of an entry: of its file, or of its own text. */
function configurationsIn(entry: string, folder: string, repository: Repository): readonly Document[] {
  const path = resolvePath(folder, entry);
  if (path !== undefined && repository.tree.has(path)) return repository.objectsOf(path);
  return repository.parse([{ file: folder, text: entry }], new Collector(), false);
}

/** What source-controller leaves out of an artifact. */
const IGNORED =
  /^(\.travis|\.gitlab-ci|appveyor|\.drone|codeship-services|codeship-steps|\.goreleaser)\.yml$|^(cloudbuild|\.sops|\.flux)\.yaml$/;
const IGNORED_FOLDERS = ['.git', '.github', '.circleci'];

interface Reading {
  repository: Repository;
  files: Set<string>;
  /** The folders that are being read, without links. */
  open: readonly string[];
  /** An object of each file and folder that was read, without links; undefined if it has none. */
  known: Map<string, KubeObject | undefined>;
  isFlux?: boolean | undefined;
}

interface Listed {
  documents: readonly Document[];
  transformers: readonly Value[];
}

function listed(folder: string, reading: Reading): Listed {
  const { repository, open } = reading;
  const real = repository.tree.real(folder);
  if (open.includes(real)) throw rejected(`${folder} lists itself`);
  if (open.length > MAX_WALK_LEVELS) throw rejected(`${folder} is nested more than ${MAX_WALK_LEVELS} levels deep`);
  return once(real, reading, () => readListed(folder, { ...reading, open: [...open, real] }));
}

/** Reads a file or folder once: kustomize rejects one with objects that is listed twice, because they are equal. */
function once(real: string, { known }: Reading, read: () => Listed): Listed {
  const object = known.get(real);
  if (object !== undefined) throw rejected(`it lists ${object.kind} ${nameOf(object)} twice`);
  if (known.has(real)) return { documents: [], transformers: [] };
  const found = read();
  known.set(real, found.documents.map(({ object }) => object).find(isKubeObject));
  return found;
}

/** Reads a folder, which is the last of those that are open. */
function readListed(folder: string, reading: Reading): Listed {
  const { repository, files, open, isFlux } = reading;
  const entries = kustomizationIn(folder, repository);
  if (entries === undefined) {
    if (hasKustomization(folder, repository)) throw new NeedsKustomize('its kustomization cannot be read');
    if (!isFlux || open.length > 1) throw rejected(`${folder} has no kustomization`);
    const parts = fluxParts(folder, repository);
    const below = parts.folders.map((one) => listed(one, { ...reading, open: open.slice(0, -1) }));
    return {
      documents: [
        ...parts.files.flatMap((file) => documentsAt(file, folder, reading)),
        ...below.flatMap((one) => one.documents),
      ],
      transformers: below.flatMap((one) => one.transformers),
    };
  }
  files.add(entries.file);
  const other = Object.keys(entries.value).find((key) => !PLAIN.includes(key));
  if (other !== undefined) throw new NeedsKustomize(`${other} of its kustomization`);
  if (entries.value.kind === 'Component') throw new NeedsKustomize('its kustomization is a component');
  if (open.length > 1 && entries.transformers.length > 0) throw new NeedsKustomize('a base has transformers');
  const documents = entries.resources.flatMap((name): readonly Document[] => {
    const path = resolvePath(folder, name);
    if (path === undefined || /[:?@]|^github\.com\//.test(name))
      throw new NeedsKustomize(`it reads ${name}, outside of the repository`);
    if (repository.tree.folder(path) !== undefined) return listed(path, reading).documents;
    const read = (): Listed => ({ documents: documentsAt(path, folder, reading), transformers: [] });
    return once(repository.tree.real(path), reading, read).documents;
  });
  return {
    documents,
    transformers: entries.transformers.flatMap((one) => configsOf(one, folder, { ...reading, known: new Map() })),
  };
}

/** Returns the configurations of a transformer: inline, in a file, or listed by a separate kustomization. */
function configsOf(entry: string, folder: string, reading: Reading): Value[] {
  const { tree, parse } = reading.repository;
  const path = resolvePath(folder, entry);
  if (path !== undefined && tree.has(path)) return documentsAt(path, folder, reading).map(({ object }) => object);
  if (path !== undefined && tree.folder(path) !== undefined) {
    return listed(path, reading).documents.map(({ object }) => object);
  }
  const text = { file: joinPath(folder, 'kustomization.yaml'), text: entry };
  return parse([text], new Collector(), false).map(({ object }) => object);
}

function documentsAt(
  path: string,
  folder: string,
  { repository: { tree, parse }, files, isFlux }: Reading,
): Document[] {
  const text = tree.text(path);
  if (text === undefined) throw rejected(`it reads ${path}, which does not exist`);
  if (!isFlux && !isBelow(tree.real(path), tree.real(folder)))
    throw rejected(`it reads ${path}, which kustomize does not allow: it is not below ${folder || '.'}`);
  files.add(path);
  const reports = new Collector();
  const documents = parse([{ file: path, text: asKustomizeReads(path, text) }], reports, false);
  const fault = reports.all.find(isError);
  if (fault !== undefined) throw rejected(`${path}: ${fault.message}`);
  return documents;
}

/** A scalar without quotes that may be a word or a date. */
const OTHERWISE = /(?:^|[[{,:-])[ \t]*(?:y|yes|n|no|on|off|\d{4}-\d\d?-\d\d?\b)[ \t]*(?:$|[\r,\]}:#])/im;
const WORD = /^(y|yes|n|no|on|off)$/i;

/** Quotes words that are booleans for other readers. @throws NeedsKustomize for a date, which kustomize completes */
function asKustomizeReads(path: string, text: string): string {
  if (!OTHERWISE.test(text)) return text;
  const edits: Edit[] = [];
  for (const { root } of readTrees(text)) {
    visitScalars(root, ({ style, tag, start, end }) => {
      if (style !== 'plain' || tag !== undefined) return;
      const written = text.slice(start, end);
      if (WORD.test(written)) edits.push({ start, end, text: JSON.stringify(written) });
      else if (resolvePlain(written) === written && !isStringWhenPlain(written))
        throw new NeedsKustomize(`the date ${written} in ${path}`);
    });
  }
  return withEdits(text, edits).join('');
}
