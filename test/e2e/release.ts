import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileOf, hostTarget, targets } from '../../tools/native/targets.mjs';
import { bundle, execute, type Result } from './sandbox.ts';

export const root = dirname(dirname(bundle));
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config.version;

/**
 * Creates a release in a temporary folder with `npm run release -- --dry-run`: with the executable for this machine if
 * `npm run native` built it and it is wanted, and with scripts that run the bundle for all other platforms: to pack and
 * unpack the executable again and again takes long.
 */
export function makeRelease(withExecutable = true): { folder: string; remove(): void } {
  const work = mkdtempSync(join(tmpdir(), 'render-rgd-release-'));
  const from = join(work, 'native');
  mkdirSync(from);
  for (const target of Object.keys(targets)) {
    const file = join(from, fileOf(target));
    const built = join(root, 'dist-native', fileOf(target));
    const isHost = withExecutable && target === hostTarget() && existsSync(built);
    if (isHost) copyFileSync(built, file);
    else writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${bundle}" "$@"\n`);
    const components = [
      { name: 'WebKit', version: '1' },
      { name: 'tinycc', version: '2' },
      { type: 'platform', version: '3' },
    ];
    writeFileSync(`${file}.cdx.json`, JSON.stringify({ components }));
    writeFileSync(`${file}.notices.txt`, 'The MIT License\n');
  }
  const folder = join(work, 'release');
  const args = [join(root, 'tools/release.mjs'), '--dry-run', '--from', from, '--out', folder];
  const { code, stderr } = execute(process.execPath, args);
  if (code !== 0) throw new Error(stderr);
  return { folder, remove: () => rmSync(work, { recursive: true }) };
}

/** Writes a script that replaces a tool: `${call}` handles its arguments. */
export function writeTool(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs a program without blocking, so that a server of this process can answer it. */
export function executeBeside(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (chunk) => {
        text[stream] += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, ...text }));
  });
}

/** A server on loopback. */
export async function serve(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Serves the files of a folder, by the last part of the path. */
export const filesFrom =
  (folder: string): RequestListener =>
  (request, response) => {
    const file = join(folder, (request.url ?? '').split('/').at(-1) ?? '');
    if (!existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  };
