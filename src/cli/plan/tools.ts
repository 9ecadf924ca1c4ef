import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RunTool } from '../../authoring/plan/index.ts';
import { Collector } from '../../core/diagnostics/index.ts';
import { realPath, withinAny } from '../file-system.ts';
import { type Build, runTool, type Tool } from '../tool.ts';

/** Runs tools of the PATH with the checks of the plugin. Functions that a kustomization runs can do anything. */
export const toolsIn =
  (root: () => string, repository: string, remote: boolean): RunTool =>
  (tool, path, args, { file, input } = {}) => {
    const functions = args.includes('--enable-exec');
    const build = { args, repository, remote, functions, input, variables: process.env };
    if (file === undefined) {
      return answerOf(tool, { ...build, folder: join(root(), path), within: withinAny([root()]) }, root());
    }
    const copy = copyWith(root(), path, file);
    try {
      return answerOf(tool, { ...build, folder: join(copy, path), within: withinAny([root(), copy]) }, root(), copy);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  };

/** Copies a folder of the repository, with another file in it; the rest of the repository are links. */
function copyWith(root: string, path: string, file: { name: string; text: string }): string {
  const copy = realPath(mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), 'render-rgd-'))) ?? '';
  const link = (folder: string, except: string): void => {
    for (const name of readdirSync(join(root, folder)))
      if (name !== except && name !== '.git') symlinkSync(join(root, folder, name), join(copy, folder, name));
  };
  const place = (folder: string): void => {
    if (folder === '.' || folder === '') return;
    place(dirname(folder));
    link(dirname(folder), basename(folder));
    if (folder !== path) mkdirSync(join(copy, folder));
  };
  place(path);
  // A pipe or a device would block the copy.
  const filter = (from: string): boolean => {
    const status = lstatSync(from);
    return basename(from) !== '.git' && (status.isFile() || status.isDirectory() || status.isSymbolicLink());
  };
  cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true, filter });
  rmSync(join(copy, path, file.name), { force: true });
  writeFileSync(join(copy, path, file.name), file.text, { flag: 'wx' });
  return copy;
}

function answerOf(tool: Tool, build: Build, ...folders: string[]): ReturnType<RunTool> {
  const reports = new Collector();
  const text = runTool(tool, build, reports);
  const [first] = reports.all;
  if (text !== undefined || first === undefined) return { text: text ?? '' };
  const words = folders.reduce(withoutFolder, first.message.replace(/\s+/g, ' '));
  const [, output] = /^\S+ failed with exit code \d+: (?:Error: )?(.*)$/.exec(words) ?? [];
  const [, lacking] = /found in Chart\.yaml, but missing in charts\/ directory: (.*)$/.exec(words) ?? [];
  if (lacking !== undefined) return { reason: `its chart has dependencies that are not in the repository: ${lacking}` };
  if (output !== undefined) return { fault: `${tool} fails: ${lastPart(output)}` };
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
