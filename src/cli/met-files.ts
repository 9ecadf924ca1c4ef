import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import table from '../../data/file-types.json';
import { trusted } from '../core/diagnostics/index.ts';
import { type Entry, type IrrelevantReason, Ledger, type Outcome, type UnseenReason } from '../core/ledger/index.ts';
import {
  type Allowance,
  allowance,
  MAX_PROBED_BYTES,
  MAX_PROBED_FILES,
  MAX_READ_BYTES,
  spend,
} from '../core/model/limits.ts';
import { addOnce, ifPossible, linkStatOf, placeOf, readStart, statOf, type Within } from './file-system.ts';
import { Walk } from './walk.ts';

/**
 * The files that a walk meets, each with its outcome. A file that is not read as a manifest is opened as far as it takes
 * to tell whether it seems to have Kubernetes objects. If it has none, it does not matter.
 */
export class MetFiles {
  readonly #ledger = new Ledger<string>();
  readonly #probed = allowance(MAX_PROBED_FILES);
  /** The bytes of all files that are opened. */
  readonly #bytes = allowance(MAX_READ_BYTES);
  readonly #walk = new Walk();
  /** Hidden folders, with links followed. */
  readonly #entered = new Set<string>();

  get entries(): readonly Entry[] {
    return this.#ledger.entries;
  }

  /** Records the outcome of a file, or of a folder that is not entered. Two paths may lead to it: the first one counts. */
  record(file: string, outcome: Outcome): void {
    if (this.#ledger.has(file)) return;
    const title = trusted.file(file);
    this.#ledger.record(file, { unit: 'file', file, title, kind: title, outcome });
  }

  /** Records files and folders that Git knows, and that are not in the working tree. */
  recordMissing(files: readonly string[]): void {
    for (const file of files) this.record(file, { is: 'unseen', why: 'not-checked-out' });
  }

  /** Records that a file or folder does not matter. */
  ignore(file: string, why: IrrelevantReason): void {
    this.record(file, { is: 'irrelevant', why });
  }

  /** Records a file that is not read because of its name: it matters if it seems to have objects. */
  probe(file: string, why: UnseenReason, within: Within): void {
    if (isOther(file)) {
      this.ignore(file, 'no-manifest');
      return;
    }
    // Beyond the budget, nobody knows.
    const hasObjects =
      !spend(this.#probed, 1) || this.#bytes.left <= 0 || seemsToHaveObjects(file, within, this.#bytes);
    if (!hasObjects) this.ignore(file, 'no-manifest');
    else this.record(file, { is: 'unseen', why: why === 'other-name' && isTemplate(file) ? 'template' : why });
  }

  /** Records the files of a folder that is not entered because it is hidden. */
  probeFolder(folder: string, within: Within, level = 0): void {
    const real = placeOf(folder);
    if (!within(real) || !addOnce(this.#entered, real)) return;
    const entries = ifPossible(() => this.#walk.read(folder, level));
    if (entries === undefined) {
      this.record(folder, { is: 'unseen', why: 'hidden' });
      return;
    }
    for (const entry of entries) this.probeEntry(entry, join(folder, entry.name), 'hidden', within, level + 1);
  }

  /** Records a hidden file or the files of a hidden folder. */
  probeEntry(entry: Dirent, path: string, why: UnseenReason, within: Within, level = 0): void {
    if (TOOL_FOLDERS.has(entry.name)) this.ignore(path, 'tool-folder');
    else if (isFolder(entry, path)) this.probeFolder(path, within, level);
    else if (isPlainFile(entry, path)) this.probe(path, why, within);
    else this.ignore(path, 'no-manifest');
  }
}

/** Folders that no manifest is in. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const isFolder = (entry: Dirent, path: string): boolean =>
  entry.isDirectory() || (entry.isSymbolicLink() && statOf(path)?.isDirectory() === true);

const isPlainFile = (entry: Dirent, path: string): boolean =>
  entry.isFile() || (entry.isSymbolicLink() && statOf(path)?.isFile() === true);

/** Returns the part of a name after its last dot, in lower case; '' if there is none. */
function extensionOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Texts, programs, pictures and archives: manifests in them are examples, or nothing applies them. */
const OTHERS: ReadonlySet<string> = new Set(table.others);

/** Reports whether the name of a file says that it has no manifests. */
export const isOther = (file: string): boolean => OTHERS.has(extensionOf(file));

/** Languages that another tool renders to manifests. */
const TEMPLATES: ReadonlySet<string> = new Set(table.templates);

const isTemplate = (file: string): boolean => TEMPLATES.has(extensionOf(file));

/** The first bytes of programs and archives without an extension. */
const BINARY = ['\u007fELF', 'MZ', '\u00cf\u00fa\u00ed\u00fe', '\u001f\u008b', 'PK'];

/** What a JSON schema declares, whose examples may be objects. */
const JSON_SCHEMA = /"\$schema"[ \t]*:[ \t]*"https?:\/\/json-schema\.org\//;

/** Keys with a text or an action of a template. */
const API_VERSION = /(?:^|[^\w.-])["']?apiVersion["']?[ \t]*:[ \t]*(?:["']?[A-Za-z$<]|\{\{)/;
const KIND = /(?:^|[^\w.-])["']?kind["']?[ \t]*:[ \t]*(?:["']?[A-Za-z$<]|\{\{)/;

/** Reports whether a file seems to have Kubernetes objects, in any encoding that has ASCII; true if it cannot be read. */
function seemsToHaveObjects(file: string, within: Within, budget: Allowance): boolean {
  const bytes = ifPossible(() => readStart(file, MAX_PROBED_BYTES, within));
  // A link that leads nowhere has no content; nobody knows what another file has.
  if (bytes === undefined) return statOf(file) !== undefined || linkStatOf(file)?.isFile() === true;
  spend(budget, bytes.length);
  return haveObjects(bytes);
}

/** Reports whether the bytes of a file seem to have Kubernetes objects. */
export function haveObjects(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  if (BINARY.some((start) => text.startsWith(start))) return false;
  // The characters of UTF-16 and UTF-32 have NUL between them.
  const letters = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return API_VERSION.test(letters) && KIND.test(letters) && !JSON_SCHEMA.test(letters);
}
