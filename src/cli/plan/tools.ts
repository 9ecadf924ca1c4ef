import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Collector } from '../../core/diagnostics/index.ts';
import { type Allowance, allowance, MAX_READ_BYTES, spend } from '../../core/model/limits.ts';
import type { RunTool } from '../../gitops/plan/index.ts';
import {
  FileError,
  isInside,
  readFault,
  readRegularFile,
  realPath,
  slashed,
  withinAny,
  withParents,
} from '../file-system.ts';
import { type Build, runTool, type Tool } from '../tool.ts';
import { Walk } from '../walk.ts';
import { type Scratch, scratchFolder } from '../write/index.ts';

/** Runs tools of the PATH with the checks of the plugin. Functions that a kustomization runs can do anything. */
export const toolsIn =
  (root: () => string, repository: string, remote: boolean): RunTool =>
  (tool, path, args, { file, input } = {}) => {
    const functions = args.includes('--enable-exec');
    const build = { args, repository, remote, functions, input, variables: process.env };
    if (file === undefined) {
      return answerOf(tool, { ...build, folder: join(root(), path), within: withinAny([root()]) }, root());
    }
    const scratch = scratchFolder();
    try {
      const folder = join(scratch.folder, copyWith(scratch, root(), path, file));
      const within = withinAny([root(), scratch.folder]);
      return answerOf(tool, { ...build, folder, within }, root(), scratch.folder);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return { reason: `${tool} is not run: its folder cannot be copied: ${readFault(error)}` };
    } finally {
      scratch.remove();
    }
  };

/**
 * Copies a folder of the repository, with another file in it; the rest of the repository are links. Returns the path of
 * the copy in the scratch folder. Links on the way to the folder are followed in the repository, so that the copy and
 * the folders above it are no links. @throws {FileError}
 */
function copyWith(scratch: Scratch, root: string, path: string, file: { name: string; text: string }): string {
  const top = realpathSync(root);
  const real = realpathSync(join(top, path));
  if (!isInside(real, top)) throw new FileError(`${path} is a link that leads out of the repository`);
  const folder = slashed(relative(top, real));
  const walk = new Walk();
  const linkRest = (of: string, except: string): void => {
    for (const { name } of walk.read(join(top, of), 0)) {
      const isOwn = realPath(join(top, of, name)) === scratch.folder;
      if (name !== except && name !== '.git' && !isOwn) scratch.link(join(of, name), join(top, of, name));
    }
  };
  for (const at of withParents(folder).reverse()) {
    if (at === '.' || at === '') continue;
    scratch.makeFolder(at);
    linkRest(dirname(at), basename(at));
  }
  const bytes = allowance(MAX_READ_BYTES);
  copyEntries({ scratch, top, walk, bytes, without: join(folder, file.name) }, folder, 0);
  scratch.writeFile(join(folder, file.name), file.text);
  return folder;
}

interface Copying {
  scratch: Scratch;
  top: string;
  walk: Walk;
  bytes: Allowance;
  /** The path of the file that is written instead. */
  without: string;
}

/** Copies files, folders and links; a pipe or a device would block the copy. */
function copyEntries(copying: Copying, folder: string, level: number): void {
  const { scratch, top, walk, bytes, without } = copying;
  for (const { name } of walk.read(join(top, folder), level)) {
    const path = join(folder, name);
    const from = join(top, path);
    if (name === '.git' || path === without || from === scratch.folder) continue;
    const status = lstatSync(from);
    if (status.isSymbolicLink()) scratch.link(path, readlinkSync(from));
    else if (status.isDirectory()) {
      scratch.makeFolder(path);
      copyEntries(copying, path, level + 1);
    } else if (status.isFile()) {
      if (!spend(bytes, status.size)) throw new FileError(`its files have more than ${MAX_READ_BYTES} bytes`);
      scratch.writeFile(path, readRegularFile(from));
    }
  }
}

function answerOf(tool: Tool, build: Build, ...folders: string[]): ReturnType<RunTool> {
  const reports = new Collector();
  const text = runTool(tool, build, reports);
  const [first] = reports.all;
  if (text !== undefined || first === undefined) return { text: text ?? '' };
  const onOneLine = (text: string): string => folders.reduce(withoutFolder, text.replace(/\s+/g, ' '));
  const words = onOneLine(first.message);
  // helm gives no code of the error.
  const [, lacking] = /found in Chart\.yaml, but missing in charts\/ directory: (.*)$/.exec(words) ?? [];
  if (lacking !== undefined) return { reason: `its chart has dependencies that are not in the repository: ${lacking}` };
  const output = first.args?.output;
  if (output !== undefined) return { fault: `${tool} fails: ${lastPart(onOneLine(output).replace(/^Error: /, ''))}` };
  return {
    reason: `${tool} is not run: ${words}${first.code === 'build-remote' ? '; --allow-remote lets it fetch' : ''}`,
  };
}

/** Removes the folder of the version, which is another one in every run. */
const withoutFolder = (text: string, folder: string): string =>
  [realPath(folder) ?? folder, folder].reduce(
    (short, one) => short.replaceAll(`${one}/`, '').replaceAll(one, '.'),
    text,
  );

const MOST_CHARACTERS = 200;

/** The tools put the cause behind everything that led to it. */
function lastPart(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const end = text.slice(-MOST_CHARACTERS);
  return `... ${end.slice(end.search(/[: ]/) + 1).trim()}`;
}
