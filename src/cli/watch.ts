import { type FSWatcher, statSync, watch as watchPath } from 'node:fs';
import { dirname } from 'node:path';
import { visible } from '../core/text/visible.ts';
import { messageOf } from './file-system.ts';
import { exitCode, type Io } from './output.ts';

/** Editors write a file in several steps: events within so many milliseconds are one change. */
const QUIET = 100;

/**
 * Runs `look`, and again whenever something below the paths changes, until the process ends. For a file the folder is
 * watched, because editors replace files. Returns an exit code if nothing can be watched.
 */
export async function watch(paths: readonly string[], look: () => Promise<number>, io: Io): Promise<number> {
  const code = await look();
  if (code === exitCode.usage) return code;
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = running;
    if (running) return;
    running = true;
    io.stdout([io.erases('stdout') ? '\u001B[2J\u001B[H' : '\n']);
    await look();
    running = false;
    if (again) await run();
  };
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, QUIET);
  };
  try {
    for (const folder of new Set(paths.map(folderOf))) watchers.push(watchPath(folder, { recursive: true }, changed));
  } catch (error) {
    for (const watcher of watchers) watcher.close();
    io.stderr(visible(`render-rgd: cannot watch: ${messageOf(error)}\n`));
    return exitCode.input;
  }
  io.stderr('render-rgd: watching for changes; Ctrl-C ends it\n');
  return new Promise(() => {});
}

const folderOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));
