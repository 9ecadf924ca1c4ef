import { linkSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, ifPossible, namesIn } from '../file-system.ts';
import { folderMaker } from './tree.ts';
import { isLeftTemporary, type Owner, statAt, temporaryPrefix, thisProcess } from './workspace.ts';

/** A new temporary folder. Each folder and file in it is created here, so that nothing is written through a link. */
export interface Scratch {
  /** Its path, with links followed. */
  readonly folder: string;
  makeFolder(path: string): void;
  /** Writes a new file. The same bytes are stored once. @throws EEXIST if there is one */
  writeFile(path: string, content: Uint8Array | string): void;
  /** Creates a link. No path that is written later may lead through it. */
  link(path: string, target: string): void;
  remove(): void;
}

export function scratchFolder(): Scratch {
  const top = process.getBuiltinModule('node:os').tmpdir();
  const self = thisProcess();
  removeLeft(top, self);
  const folder = realpathSync(mkdtempSync(join(top, temporaryPrefix(self))));
  const makeFolder = folderMaker(folder);
  const written = new Map<Uint8Array, string>();
  return {
    folder,
    makeFolder,
    writeFile: (path, content) => {
      makeFolder(dirname(path));
      const target = join(folder, path);
      const first = typeof content === 'string' ? undefined : written.get(content);
      if (first !== undefined && isLinked(first, target)) return;
      writeFileSync(target, content, { flag: 'wx' });
      if (typeof content !== 'string') written.set(content, target);
    },
    link: (path, target) => {
      makeFolder(dirname(path));
      symlinkSync(target, join(folder, path));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the temporary folders of processes of this user that were killed. */
function removeLeft(top: string, self: Owner): void {
  const uid = process.getuid?.();
  for (const name of namesIn(top)) {
    if (!isLeftTemporary(name, self)) continue;
    const stat = statAt(join(top, name));
    const isOwn = stat?.isDirectory() === true && (uid === undefined || stat.uid === uid);
    if (isOwn) ifPossible(() => rmSync(join(top, name), { recursive: true, force: true }));
  }
}

/** File systems limit the names of one file, and some have no hard links. */
function isLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    return false;
  }
}
