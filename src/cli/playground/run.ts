import type { FoundText } from '../../authoring/input/index.ts';
import { Collector, publicText } from '../../core/diagnostics/index.ts';
import { visible } from '../../core/text/visible.ts';
import type { Invocation } from '../command.ts';
import { conclude, fail } from '../conclude.ts';
import { readFiles } from '../files.ts';
import { replaceFile } from '../replace.ts';
import { type OpenedFile, openedFiles, pageWith } from './opened.ts';
import type { playgroundOptions } from './options.ts';
import { pageFiles } from './page-files.ts';
import { serve } from './server.ts';

/** Runs `render-rgd playground [PATH...]`: serves until the process ends. */
export async function servePlayground(invocation: Invocation<typeof playgroundOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const page = await pageFiles();
  if (page === undefined)
    return fail('unreadable-file', publicText`this build of render-rgd comes without the playground`, invocation);
  const reports = new Collector();
  const read = (from: readonly string[]): FoundText[] =>
    readFiles(from, { exclude: settings.exclude, stdin: new Uint8Array(), missing: 'error' }, reports);
  const opened = openedFiles([
    ['objects', read(paths)],
    ['definitions', read(settings.definitions)],
    ['observed', read(settings.observed)],
  ]);
  if (reports.hasErrors) return conclude(invocation, reports.all);
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const token = randomBytes(16).toString('hex');
  const files = new Map(page).set(
    'index.html',
    pageWith(page.get('index.html') ?? new Uint8Array(), opened, settings.write),
  );
  try {
    const server = await serve({ files, token, ...(settings.write && { save: saver(opened) }) }, settings.port);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : settings.port;
    io.stdout([`http://127.0.0.1:${port}/${token}/\n`]);
    io.stderr(visible(`render-rgd: serving ${opened.length} files; Ctrl-C ends it\n`));
    return await new Promise<number>((resolve) => server.once('close', () => resolve(0)));
  } catch (error) {
    const message = publicText`the port ${settings.port} cannot be served: ${error instanceof Error ? error.message : String(error)}`;
    return fail('unwritable-file', message, invocation);
  }
}

/** Writes only files that were opened. */
function saver(opened: readonly OpenedFile[]): (name: string, text: string) => string | undefined {
  const paths = new Map(opened.map(({ name, path }) => [name, path]));
  return (name, text) => {
    const path = paths.get(name);
    return path === undefined ? `${name} was not opened` : replaceFile(path, [text]);
  };
}
