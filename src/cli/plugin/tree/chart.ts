import { join, resolve } from 'node:path';
import {
  type Collector,
  composeText,
  type Report,
  type Text,
  type Told,
  told,
  trusted,
  unplaced,
} from '../../../core/diagnostics/index.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { type Allowance, allowance, MAX_WALK_LEVELS, spend } from '../../../core/model/limits.ts';
import { listAt, textAt } from '../../../core/model/value.ts';
import { readStream } from '../../../yaml/parse/index.ts';
import {
  addOnce,
  decode,
  FileError,
  ifPossible,
  isPresent,
  MOST_BYTES,
  NOT_REGULAR,
  namesIn,
  outside,
  placeOf,
  readFault,
  readOrReport,
  realPath,
  statOf,
  tooLarge,
  unreadable,
  type Within,
} from '../../file-system.ts';
import { Walk } from '../../walk.ts';

interface ArchivedFile {
  /** Everything that is written about the name: the header of the file, and longer names before it. */
  names: string;
  content: Uint8Array;
}

/** The most bytes of all archives of a chart, unpacked: helm itself accepts 100 MiB for one. */
const MOST_UNPACKED = 128 * 1024 * 1024;
const BLOCK = 512;

/** The regular files of a packed chart. @throws if readers may differ: damaged headers, unknown types, two sizes */
function filesOf(bytes: Uint8Array, unpacked: Allowance): ArchivedFile[] {
  const { gunzipSync } = process.getBuiltinModule('node:zlib');
  if (unpacked.left <= 0) throw new FileError(`the archives have more than ${MOST_UNPACKED} bytes`);
  const data = gunzipSync(bytes, { maxOutputLength: unpacked.left });
  spend(unpacked, data.length);
  const files: ArchivedFile[] = [];
  let names = '';
  for (let at = 0; at < data.length; ) {
    const header = data.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    const type = String.fromCharCode(header[156] ?? 0);
    const size = numberIn(header, 124, 136);
    const start = at + BLOCK;
    const content = data.subarray(start, start + size);
    if (content.length < size || sumOf(header) !== numberIn(header, 148, 156)) throw new Error('it is damaged');
    const isKnown = (REGULAR + LONG_NAME).includes(type) || (HEADER_ONLY.includes(type) && size === 0);
    if (!isKnown) throw new Error('it has entries of unknown types');
    names += header.toString('latin1');
    if (LONG_NAME.includes(type)) {
      const text = content.toString('latin1');
      if (SIZE_ELSEWHERE.test(text)) throw new Error('it has files whose size is written twice');
      names += text;
    } else {
      if (REGULAR.includes(type)) files.push({ names, content });
      names = '';
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** Files, links, folders, and the headers of PAX and GNU for long names. */
const REGULAR = '\x000';
const HEADER_ONLY = '125';
const LONG_NAME = 'xgLK';
const SIZE_ELSEWHERE = / (size|GNU\.sparse[^=]*)=/;

/** Reads an octal number of a header. @throws for other notations */
function numberIn(header: Buffer, from: number, to: number): number {
  const text = /^[ \0]*([0-7]*)[ \0]*$/.exec(header.toString('latin1', from, to))?.[1];
  if (text === undefined) throw new Error('it has a number that is not octal');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** The sum of a header, whose own field counts as blanks. */
const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);

/** The keywords whose reference helm resolves: in the schema itself for a fragment, else by a request or a file. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The dialects that helm contains. */
const DIALECT = /^https?:\/\/json-schema\.org\/(schema|draft-0[467]\/schema|draft\/(2019-09|2020-12)\/schema)#?$/;

/** Rejects references out of a JSON schema; every string of these keywords counts, because one may lead to it. */
export function checkSchema(file: string, bytes: Uint8Array, reports: Collector): void {
  const refuse = (message: Told, hint: Text): void => reports.add(unplaced('build-refused', message, hint));
  const written = ifPossible(() => decode(bytes));
  const schema = written && attempt<unknown>(() => JSON.parse(written), SyntaxError);
  if (schema === undefined) {
    const message = told`${{ file: trusted.file(file) }} cannot be checked before helm reads it: it is not JSON in UTF-8`;
    refuse(message, composeText`correct or remove it`);
    return;
  }
  const open = [schema];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    for (const [key, value] of Object.entries(at)) {
      if (typeof value === 'object') open.push(value);
      if (typeof value !== 'string') continue;
      const isDialect = key === '$schema' && !DIALECT.test(value);
      if (!isDialect && (!REFERENCES.includes(key) || value.startsWith('#'))) continue;
      const message = told`${{ key: trusted.definition(key) }} of ${{ file: trusted.file(file) }} is '${{ value: trusted.file(value) }}', which helm would fetch or read outside of the chart`;
      const hint = isDialect
        ? composeText`name a dialect such as http://json-schema.org/draft-07/schema#`
        : composeText`copy it into the schema, and refer to it as '#/definitions/NAME'`;
      refuse(message, hint);
      return;
    }
  }
}

const FILES = ['Chart.yaml', 'requirements.yaml'];
const SCHEMA = 'values.schema.json';

/**
 * Checks that helm reads nothing outside of the boundary for a chart, and fetches nothing: its links, its dependencies
 * by `file://`, and the references of all its schemas, which helm follows.
 */
export function checkChart(folder: string, within: Within, reports: Collector): boolean {
  const folders = chartFolders(folder, within, reports);
  const isSound = reports.all.length === 0 && folders.every((one) => checkLinks(one, within, reports));
  if (isSound) checkSchemas(folder, within, reports);
  return reports.all.length === 0;
}

/** Returns the folders of a chart and of its dependencies by `file://`, each once. */
function chartFolders(folder: string, within: Within, reports: Collector): string[] {
  const found = new Map([[realPath(folder) ?? folder, folder]]);
  // A map keeps the order of what is added while it is read.
  for (const at of found.values()) {
    for (const path of fileDependencies(at, within, reports)) {
      const place = resolve(at, path);
      const real = realPath(place) ?? place;
      if (!within(placeOf(place))) reports.add(outside(`file://${path}`));
      else if (isPresent(place) && !found.has(real)) found.set(real, place);
    }
  }
  return [...found.values()];
}

const fileDependencies = (folder: string, within: Within, reports: Collector): string[] =>
  FILES.flatMap((name) => {
    const file = join(folder, name);
    const text = isPresent(file) ? readOrReport(file, within, reports)?.toString() : undefined;
    if (text === undefined) return [];
    return listAt(readStream(text).documents[0]?.value, 'dependencies')
      .map((one) => textAt(one, 'repository'))
      .flatMap((repository) => (/^file:\/\//i.test(repository) ? [repository.slice('file://'.length)] : []));
  });

/** What the schemas of a chart were looked for in, and how many bytes of archives may still be unpacked. */
interface Schemas {
  seen: Set<string>;
  unpacked: Allowance;
  within: Within;
  reports: Collector;
}

/** Checks the schemas of a chart and its subcharts, which are folders and archives, each once. */
function checkSchemas(folder: string, within: Within, reports: Collector): void {
  const schemas = { seen: new Set<string>(), unpacked: allowance(MOST_UNPACKED), within, reports };
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!addOnce(schemas.seen, realPath(at) ?? at)) continue;
    const schema = join(at, SCHEMA);
    const bytes = isPresent(schema) ? readOrReport(schema, within, reports) : undefined;
    if (bytes !== undefined) checkSchema(schema, bytes, reports);
    for (const path of chartsIn(at)) {
      if (path.endsWith('.tgz')) checkPacked(path, schemas);
      else open.push(path);
    }
  }
}

/** Returns the subcharts of a chart: folders and archives. */
function chartsIn(folder: string): readonly string[] {
  const charts = join(folder, 'charts');
  return namesIn(charts).map((name) => join(charts, name));
}

/** Checks the schemas in an archive that is a file. */
function checkPacked(path: string, schemas: Schemas): void {
  if (!addOnce(schemas.seen, realPath(path) ?? path)) return;
  const archive = readOrReport(path, schemas.within, schemas.reports);
  if (archive !== undefined) checkArchive(path, archive, schemas, 0);
}

/** The most archives in one another: helm reads those in the folder charts of an archive. */
const MOST_ARCHIVES = 10;

/** Checks the schemas of all charts in an archive. Names decide too little: paths may be written in several ways. */
function checkArchive(path: string, bytes: Uint8Array, schemas: Schemas, level: number): void {
  const { reports, unpacked } = schemas;
  let files: ArchivedFile[];
  try {
    if (level > MOST_ARCHIVES) throw new FileError(`more than ${MOST_ARCHIVES} archives are in one another`);
    files = filesOf(bytes, unpacked);
  } catch (error) {
    const message = told`${{ file: trusted.file(path) }} cannot be checked before helm reads it: ${{ reason: trusted.error(readFault(error)) }}`;
    const hint = composeText`pack the chart with helm package, or commit its files`;
    reports.add(unplaced('build-refused', message, hint));
    return;
  }
  for (const { names, content } of files) {
    if (names.includes(SCHEMA)) checkSchema(`${SCHEMA} in ${path}`, content, reports);
    else if (names.includes('.tgz')) checkArchive(path, content, schemas, level + 1);
  }
}

/** More entries than a chart has; helm reads a folder once for each path of links to it. */
const MAX_ENTRIES = 200_000;

/**
 * Checks that no link below a folder leaves the boundary. Links to folders are followed recursively, as helm and
 * kustomize follow them. Reports pipes and devices too, cycles of links, and links that would make a tool read the same
 * folders too often.
 */
export function checkLinks(folder: string, within: Within, reports: Collector): boolean {
  const counts = new Map<string, number>();
  const open = new Set<string>();
  const reported = new Set<string>();
  const report = (key: string, one: Report): void => {
    if (!reported.has(key)) reports.add(one);
    reported.add(key);
  };
  /** Returns the number of entries that a tool reads below. */
  const walk = new Walk(MAX_ENTRIES);
  const visit = (path: string, level: number): number => {
    const real = realPath(path) ?? path;
    if (open.has(real)) {
      const message = told`the link ${{ file: trusted.file(path) }} points to a folder that contains it`;
      report(real, unplaced('build-failed', message));
      return 0;
    }
    const known = counts.get(real);
    if (known !== undefined) return known;
    open.add(real);
    let count = 0;
    for (const entry of walk.read(real, level)) {
      const at = join(path, entry.name);
      count += 1;
      if (entry.isSymbolicLink() && !within(placeOf(at))) report(placeOf(at), outside(at));
      else {
        const kind = kindOf(at);
        if (kind === 'folder') count += entry.name === '.git' ? 0 : visit(at, level + 1);
        else if (kind !== 'file') report(at, unreadable(at, kind === 'large' ? tooLarge(MOST_BYTES) : NOT_REGULAR));
      }
    }
    open.delete(real);
    counts.set(real, count);
    return count;
  };
  const found = attempt(() => visit(folder, 0), FileError);
  if (found === undefined || found > MAX_ENTRIES) {
    const message = told`${{ file: trusted.file(folder) }} contains more than ${{ limit: MAX_ENTRIES }} files, counted through every link, or more than ${{ limit: MAX_WALK_LEVELS }} levels of folders`;
    report('', unplaced('build-failed', message));
  }
  return reported.size === 0;
}

/** Returns the kind of a path; a dangling link, or one to itself, is a file, which the tool reports when it reads it. */
function kindOf(path: string): 'folder' | 'file' | 'irregular' | 'large' {
  const at = statOf(path);
  if (at === undefined) return 'file';
  if (at.isDirectory()) return 'folder';
  if (!at.isFile()) return 'irregular';
  return at.size > MOST_BYTES ? 'large' : 'file';
}
