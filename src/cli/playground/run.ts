import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FoundText } from '../../authoring/input/index.ts';
import { Collector, composeText, trusted } from '../../core/diagnostics/index.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { definitionOptions, instanceOptions, reportingOptions } from '../../render/options/index.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { conclude, fail } from '../conclude.ts';
import { ifPossible, messageOf, slashed } from '../file-system.ts';
import { readFiles } from '../files.ts';
import { playgroundOptions } from './limits.ts';
import { type Found, OpenedFiles, pageWith } from './opened.ts';
import { type Site, serve } from './server.ts';

/** Runs `render-rgd playground [PATH...]`: serves until the process ends. */
async function servePlayground(invocation: Invocation<typeof playgroundOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const files = await pageFiles();
  if (files === undefined) {
    const message = composeText`this build of render-rgd comes without the playground: in a clone, npm run playground builds it; the npm package and the executables contain it`;
    return fail('unreadable-file', message, invocation);
  }
  const given = [...paths, ...settings.definitions, ...settings.observed];
  const look = (): Found => readOpened(invocation);
  const { faults } = look();
  if (faults.length > 0) return conclude(invocation, faults);
  const opened = given.length === 0 ? undefined : new OpenedFiles(given, look);
  const token = process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');
  try {
    const site = { files, token, ...(opened && { opened: siteOf(opened, files, settings.write) }) };
    const server = await serve(site, settings.port);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : settings.port;
    io.stdout([`http://127.0.0.1:${port}/${token}/\n`]);
    io.stderr(visible(started(opened)));
    return await new Promise<number>((resolve) => server.once('close', () => resolve(0)));
  } catch (error) {
    const message = composeText`the port ${settings.port} cannot be served: ${trusted.error(messageOf(error))}`;
    return fail('unwritable-file', message, invocation);
  }
}

function readOpened({ paths, settings }: Invocation<typeof playgroundOptions>): Found {
  const reports = new Collector();
  const stdin = new Error('the page opens files only');
  const read = (from: readonly string[]): FoundText[] =>
    readFiles(from, { exclude: settings.exclude, stdin, missing: 'error' }, reports);
  const texts = [
    ['objects', read(paths)],
    ['definitions', read(settings.definitions)],
    ['observed', read(settings.observed)],
  ] as const;
  return { texts, faults: reports.all.filter(({ severity }) => severity !== 'info') };
}

const siteOf = (opened: OpenedFiles, files: Site['files'], write: boolean): NonNullable<Site['opened']> => ({
  page: () => pageWith(files.get('index.html') ?? new Uint8Array(), opened, write),
  snapshot: () => opened.snapshot(),
  stamp: () => opened.stamp(),
  ...(write && { save: (name, text, digest) => opened.save(name, text, digest) }),
});

/** The most files that are listed one by one. */
const MOST_LISTED = 20;

function started(opened: OpenedFiles | undefined): string {
  const { files, left } = opened?.snapshot() ?? { files: [], left: [] };
  const lines = left
    .slice(0, MOST_LISTED)
    .map(({ name, reason }) => `render-rgd: the page does not show ${visibleOnOneLine(name)}: ${reason}\n`);
  const rest = left.length - lines.length;
  const more = rest > 0 ? `render-rgd: nor ${rest} more files\n` : '';
  return `${lines.join('')}${more}render-rgd: serving ${files.length} files; Ctrl-C ends it\n`;
}

/**
 * The folders of the page, relative to the command: in the npm package, and in the repository after `npm run
 * playground`.
 */
const FOLDERS = ['playground', '../dist-playground'];

interface Runtime {
  readonly embeddedFiles?: readonly { readonly name: string; arrayBuffer(): Promise<ArrayBuffer> }[];
}

/** Returns the files of the page by path; undefined if this build does not contain it. */
async function pageFiles(): Promise<Map<string, Uint8Array> | undefined> {
  const embedded = (globalThis as { Bun?: Runtime }).Bun?.embeddedFiles?.find(({ name }) =>
    name.includes('playground'),
  );
  if (embedded !== undefined) {
    const { gunzipSync } = process.getBuiltinModule('node:zlib');
    const archive = gunzipSync(new Uint8Array(await embedded.arrayBuffer())).toString();
    const files = JSON.parse(archive) as Readonly<Record<string, string>>;
    return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  }
  const program = process.argv[1] ?? '';
  const found = FOLDERS.map((folder) => ifPossible(() => filesBelow(join(dirname(realpathSync(program)), folder))));
  return found.find((files) => files !== undefined);
}

/** @throws Error if there is no page */
function filesBelow(folder: string): Map<string, Uint8Array> {
  const files = new Map([['index.html', readFileSync(join(folder, 'index.html'))]]);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = slashed(entry);
    if (/\.(js|css)$/.test(path)) files.set(path, readFileSync(join(folder, entry)));
  }
  return files;
}

const { definitions, exclude } = definitionOptions;
const { observed } = instanceOptions;

export const playground = defineCommand({
  group: 'Author',
  usage: '[PATH...] [options]',
  summary: 'Serve the playground on this machine, with files opened: a page that renders while you type.',
  examples: [
    ['playground platform/ apps/', 'Prints a URL on 127.0.0.1; the files stay as they are.'],
    ['playground . --write', 'Writes what is changed in the page back to its files.'],
  ],
  own: playgroundOptions,
  shared: { definitions, observed, exclude, ...reportingOptions },
  run: servePlayground,
});
