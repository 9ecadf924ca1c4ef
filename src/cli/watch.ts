import { type FSWatcher, statSync, watch as watchPath } from 'node:fs';
import { dirname } from 'node:path';
import { visible } from '../core/text/visible.ts';
import { messageOf } from './file-system.ts';
import { exitCode, type Io } from './output.ts';

/** Editors write a file in several steps: events within so many milliseconds are one change. */
const QUIET = 100;

/** Runs `look` at each change below the paths; of a file the folder is watched, because editors replace files. */
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
  const end = (error: unknown): number => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    io.stderr(visible(`render-rgd: cannot watch: ${messageOf(error)}\n`));
    return exitCode.input;
  };
  return new Promise((resolve, reject) => {
    const changed = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        run().catch(reject);
      }, QUIET);
    };
    try {
      for (const folder of new Set(paths.map(folderToWatch))) {
        const watcher = watchPath(folder, { recursive: true }, changed);
        watcher.on('error', (error) => resolve(end(error)));
        watchers.push(watcher);
      }
    } catch (error) {
      resolve(end(error));
      return;
    }
    io.stderr('render-rgd: watching for changes; Ctrl-C ends it\n');
  });
}

const folderToWatch = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));
