import type { Dirent } from 'node:fs';
import { type Allowance, allowance, MAX_WALK_ENTRIES, MAX_WALK_LEVELS, spend } from '../core/model/limits.ts';
import { entriesIn, FileError } from './file-system.ts';

/** A search below folders, which reads so many entries and enters so many levels. */
export class Walk {
  readonly #entries: Allowance;

  constructor(most: number = MAX_WALK_ENTRIES) {
    this.#entries = allowance(most);
  }

  /** Returns the entries of a folder, which count. @throws {FileError} if there are too many, or the folder is too deep */
  read(folder: string, level: number): Dirent[] {
    return this.count(folder, level, entriesIn(folder));
  }

  /** Counts the entries of a folder that were read already, as `read`. */
  count(folder: string, level: number, found: Dirent[]): Dirent[] {
    if (level > MAX_WALK_LEVELS) throw new FileError(`${folder} is nested more than ${MAX_WALK_LEVELS} levels deep`);
    if (!spend(this.#entries, found.length))
      throw new FileError(`there are more than ${this.#entries.of} files and folders`);
    return found;
  }
}
