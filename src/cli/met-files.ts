import type { Dirent } from 'node:fs';
import { join } from 'node:path';
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
import { isOther, isTemplate, seemsToHaveObjects } from '../core/text/manifests.ts';
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
    const hasObjects = !spend(this.#probed, 1) || this.#bytes.left <= 0 || mayHaveObjects(file, within, this.#bytes);
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
    // Nothing may depend on what is outside.
    else if (entry.isSymbolicLink() && !within(placeOf(path))) this.ignore(path, 'no-manifest');
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

/** Reports whether a file seems to have Kubernetes objects, in any encoding that has ASCII; true if it cannot be read. */
function mayHaveObjects(file: string, within: Within, budget: Allowance): boolean {
  const bytes = ifPossible(() => readStart(file, MAX_PROBED_BYTES, within));
  // A link that leads nowhere has no content; nobody knows what another file has.
  if (bytes === undefined) return statOf(file) !== undefined || linkStatOf(file)?.isFile() === true;
  spend(budget, bytes.length);
  return haveObjects(bytes);
}

/** Reports whether the bytes of a file seem to have Kubernetes objects. */
export const haveObjects = (bytes: Buffer): boolean => seemsToHaveObjects(bytes.toString('latin1'));
