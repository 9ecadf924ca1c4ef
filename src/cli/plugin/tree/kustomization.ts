import { join, resolve } from 'node:path';
import table from '../../../../data/kustomize-fields.json';
import {
  type Collector,
  composeText,
  format,
  type Report,
  type Text,
  type Told,
  told,
  trusted,
} from '../../../core/diagnostics/index.ts';
import { KUSTOMIZATION_FILES } from '../../../core/model/kustomization.ts';
import { MAX_WALK_LEVELS } from '../../../core/model/limits.ts';
import type { Source } from '../../../core/model/object.ts';
import { isMap, ownValue, type Path, type Value } from '../../../core/model/value.ts';
import { readStream, type StreamDocument, treeIn } from '../../../yaml/parse/index.ts';
import { visitScalars, type YamlNode } from '../../../yaml/tree/index.ts';
import {
  addOnce,
  isPresent,
  NOT_REGULAR,
  outside,
  placeOf,
  readOrReport,
  realPath,
  statOf,
  unreadable,
  type Within,
} from '../../file-system.ts';

/**
 * Reports whether kustomize may fetch a reference to a folder (kustomize: NewRepoSpecFromURL): a URL, a forced `git::`,
 * `user@host:path`, `github.com/...` without a scheme, or a query. Similar texts count too: kustomize would fetch even
 * if a folder has that name.
 */
const isRemote = (reference: string): boolean => isUrl(reference) || /[?]|^\s*[a-z][a-z0-9+.-]*:/i.test(reference);

/** Reports the same for references to files only (kustomize: IsRemoteFile), and for texts that may be YAML. */
const isUrl = (reference: string): boolean =>
  /^\s*(https?:|[a-z][a-z0-9+.-]*:\/\/|git::|[a-z0-9._-]+@|github\.com[/:])/i.test(reference);

/** git would read such a branch as a flag: `?ref=--upload-pack=COMMAND` runs it. */
export const isFlagForGit = (reference: string): boolean => /[?&;][^=&;?]*=\s*(-|%2d|%20|\+)/i.test(reference);

interface Allowed {
  within: Within;
  remote: boolean;
  /** The caller allows kustomize to run functions of the repository. */
  functions?: boolean;
}

/**
 * Reads the kustomization of a folder and everything below it that exists here, and reports every reference that would
 * be fetched or is outside of the boundary. Values that kustomize computes cannot be checked by reading, so generated
 * content may only become an object: configurations of plugins must be written out, and only known fields are allowed.
 * Returns the folders that kustomize reads.
 */
export function checkKustomization(folder: string, allowed: Allowed, reports: Collector): string[] {
  const folders = new Set<string>();
  checkFolder(folder, { allowed, reports, folders, seen: new Set(), level: 0 });
  return [...folders];
}

interface Context {
  allowed: Allowed;
  reports: Collector;
  folders: Set<string>;
  /** Folders, and files by their use and the folder of their references. */
  seen: Set<string>;
  /** How many kustomizations and configurations name one another on the way. */
  level: number;
}

function checkFolder(folder: string, context: Context): void {
  const real = realPath(folder);
  if (real === undefined || !addOnce(context.seen, real)) return;
  context.folders.add(folder);
  for (const name of KUSTOMIZATION_FILES) {
    const file = join(folder, name);
    // A link may lead out, to a file that must not be distinguished from a missing one.
    if (isPresent(file)) checkFile(file, { folder: real, kind: 'kustomization' }, context);
  }
}

interface Reading {
  /** The base of references: in kustomize the target of a link to a folder. */
  folder: string;
  kind: 'kustomization' | 'configuration';
}

function checkFile(file: string, reading: Reading, context: Context): void {
  const place = placeOf(file);
  if (!context.allowed.within(place)) {
    context.reports.add(outside(file));
    return;
  }
  if (!addOnce(context.seen, `${reading.kind} ${reading.folder} ${place}`)) return;
  const bytes = readOrReport(file, context.allowed.within, context.reports);
  if (bytes !== undefined) checkText(bytes.toString(), { ...reading, file }, context);
}

interface FileText extends Reading {
  file: string;
  /** The position of a text inside another one. */
  around?: { source: Source; path: Path };
}

function checkText(text: string, place: FileText, context: Context): void {
  const documents = readInOneWay(text);
  if ('fault' in documents) {
    const message = told`${{ file: trusted.file(place.file) }} cannot be checked before kustomize reads it: ${{ reason: trusted.error(documents.fault) }}`;
    context.reports.add({ path: [], ...place.around, ...refused(message, composeText`write it as plain YAML`) });
    return;
  }
  for (const { index, value } of documents) {
    const source = { file: place.file, text, document: index, path: [] };
    const at = (path: Path): { source: Source; path: Path } => place.around ?? { source, path };
    const fields = place.kind === 'kustomization' ? KUSTOMIZATION : fieldsOfPlugin(value);
    if (fields === undefined) {
      const isHelm = isMap(value) && value.kind === 'HelmChartInflationGenerator';
      if (isHelm || context.allowed.functions !== true)
        context.reports.add({ ...at([]), ...(isHelm ? HELM : programOf(value)) });
      continue;
    }
    for (const found of foundIn(value, fields)) {
      const placed = { ...place, around: at(found.path) };
      const problem = problemOf(found, placed, context.allowed);
      if (problem === undefined) follow(found, placed, context);
      else context.reports.add({ ...problem, ...placed.around });
    }
  }
}

function programOf(value: Value): UnplacedReport {
  const { apiVersion, kind } = isMap(value) ? value : {};
  const name = typeof kind === 'string' ? `'${String(apiVersion)}' '${kind}'` : 'what is no object';
  const message = told`${{ name: trusted.definition(name) }} configures no plugin that kustomize has built in, and no other is run (external plugins disabled)`;
  return refused(message, composeText`for render-rgd as a transformer, point the Application at the layer below`);
}

type UnplacedReport = Omit<Report, 'path' | 'source'>;

const refused = (message: Text | Told, hint: Text): UnplacedReport => ({
  code: 'build-refused',
  ...(typeof message === 'string' ? { message } : message),
  hint,
});

function problemOf({ meaning, text }: Found, { folder }: FileText, allowed: Allowed): UnplacedReport | undefined {
  if (meaning === 'unknown') return UNKNOWN;
  if (meaning === 'helm') return HELM;
  if (isInPlace(meaning, text)) return undefined;
  // An entry of a generator's `files` may contain the key: `key=path`.
  const names = meaning === 'keyed' ? [text, text.slice(text.indexOf('=') + 1)] : [text];
  const fetched = names.find((name) => isFetched(name, meaning, folder));
  if (fetched !== undefined) {
    if (allowed.remote && !isFlagForGit(text)) return undefined;
    const hint = isFlagForGit(text) ? composeText`git would take the branch for a flag` : REMOTE_HINT;
    return { code: 'build-remote', ...told`fetching '${{ value: trusted.file(fetched) }}' is disabled`, hint };
  }
  const hidden = names.find((name) => !allowed.within(placeOf(resolve(folder, name))));
  if (hidden !== undefined) return outside(hidden);
  const odd = names.find((name) => {
    const stat = statOf(resolve(folder, name));
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  });
  if (odd !== undefined) return unreadable(odd, NOT_REGULAR);
  if (meaning !== 'configuration' || !isFolder(resolve(folder, text))) return undefined;
  const message = told`'${{ value: trusted.file(text) }}' is a folder: its build output would configure a plugin, and cannot be checked before`;
  return refused(message, composeText`name its files one by one`);
}

function follow({ meaning, text }: Found, place: FileText, around: Context): void {
  const file = resolve(place.folder, text);
  const context = { ...around, level: around.level + 1 };
  if (context.level > MAX_WALK_LEVELS) {
    const message = told`${{ file: trusted.file(place.file) }} is nested more than ${{ limit: MAX_WALK_LEVELS }} levels deep`;
    context.reports.add({ ...refused(message, composeText`list it from fewer others`), path: [], ...place.around });
    return;
  }
  if (meaning === 'folder' && isFolder(file)) checkFolder(file, context);
  if (meaning !== 'configuration') return;
  if (isInPlace(meaning, text)) checkText(text, { ...place, kind: 'configuration' }, context);
  else if (isFile(file)) checkFile(file, { folder: place.folder, kind: 'configuration' }, context);
}

/** A patch or configuration in place: a fetched reference has no line break and begins with no brace. */
const isInPlace = (meaning: Found['meaning'], text: string): boolean =>
  (meaning === 'patch' || meaning === 'configuration') && (text.includes('\n') || /^\s*\{/.test(text)) && !isUrl(text);

/** For a folder, kustomize still looks for a file first. */
const isFetched = (name: string, meaning: Found['meaning'], folder: string): boolean =>
  isUrl(name) ||
  ((meaning === 'folder' || meaning === 'configuration') && isRemote(name) && !isFile(resolve(folder, name)));

const REMOTE_HINT = composeText`commit what it names; an administrator can allow fetching with --allow-remote in plugin.yaml`;

const UNKNOWN = refused(
  composeText`unknown field, or invalid type of value, for kustomize`,
  composeText`correct or remove it`,
);

const HELM = refused(
  composeText`running helm from kustomize is disabled`,
  composeText`render the chart with build: helm, or commit its output`,
);

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;
const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

/** The readers of kustomize differ in merge keys, tags, and characters that some treat as line breaks. */
function readInOneWay(text: string): StreamDocument[] | { fault: string } {
  if (ODD_CHARACTERS.test(text)) return { fault: 'it has control characters or line breaks of other scripts' };
  const { documents, problems } = readStream(text);
  const [problem] = problems;
  if (problem !== undefined) return { fault: format(problem.message) };
  const trees = documents.map(({ index }) => treeIn(text, index));
  if (trees.some(({ hasTags }) => hasTags)) return { fault: 'it has YAML tags' };
  if (trees.some(({ root }) => hasMergeKey(root, text))) return { fault: "it has merge keys ('<<')" };
  return documents;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ODD_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|(?!^)\ufeff/;

function hasMergeKey(root: YamlNode, text: string): boolean {
  let found = false;
  visitScalars(root, ({ innerStart, innerEnd }) => {
    found ||= innerEnd - innerStart === 2 && text.startsWith('<<', innerStart);
  });
  return found;
}

/** A text in a kustomization that refers to something, or a field that is not allowed. */
interface Found {
  path: Path;
  meaning: Exclude<Meaning, 'data'> | 'unknown';
  text: string;
}

/** Returns all references in a kustomization, or the configuration of a plugin. */
function foundIn(value: Value, fields: Fields): Found[] {
  const found: Found[] = [];
  const visit = (at: Value, meaning: Meaning | Fields | undefined, path: Path): void => {
    if (meaning === 'data' || at === null) return;
    if (Array.isArray(at)) at.forEach((item, index) => void visit(item, meaning, [...path, index]));
    else if (meaning === undefined || meaning === 'helm') found.push({ path, meaning: meaning ?? 'unknown', text: '' });
    else if (typeof meaning === 'string') {
      const isText = typeof at === 'string';
      found.push({ path, meaning: isText ? meaning : 'unknown', text: isText ? at : '' });
    } else if (!isMap(at)) found.push({ path, meaning: 'unknown', text: '' });
    else for (const [key, member] of Object.entries(at)) visit(member, fieldNamed(key, meaning), [...path, key]);
  };
  visit(value, fields, []);
  return found;
}

/** Keys are compared as in Go's JSON decoder, ignoring case. */
function fieldNamed(key: string, fields: Fields): Meaning | Fields | undefined {
  const name = Object.keys(fields).find((one) => folding(one) === folding(key));
  return name === undefined ? undefined : ownValue(fields, name);
}

/** Go folds the long s and the Kelvin sign too. */
const folding = (key: string): string => key.toUpperCase().toLowerCase();

/**
 * How kustomize uses the texts of a field: `data` becomes a part of objects or selects them; a `file` is read, with a
 * key before it if it is `keyed`; a `patch` is a file or the patch itself; a `folder` may be a file or another
 * kustomization; a `configuration` is a file or a text that configures a plugin; `helm` runs a program.
 */
export type Meaning = 'data' | 'file' | 'keyed' | 'patch' | 'folder' | 'configuration' | 'helm';

/** A field of a list applies to its items too. */
export interface Fields {
  readonly [name: string]: Meaning | Fields;
}

const PLUGINS = table.plugins as Readonly<Record<string, Fields>>;

export const KUSTOMIZATION = table.kustomization as Fields;

/** Returns the fields of the configuration of a plugin; undefined if kustomize would run a program for it. */
export function fieldsOfPlugin(value: Value): Fields | undefined {
  const { apiVersion, kind } = isMap(value) ? value : {};
  if (apiVersion !== 'builtin' || typeof kind !== 'string' || !Object.hasOwn(PLUGINS, kind)) return undefined;
  return { apiVersion: 'data', kind: 'data', metadata: 'data', ...PLUGINS[kind] };
}
