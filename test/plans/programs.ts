import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** The answer of Argo CD's repo-server: see test/argocd/protocol.go. */
export interface Answer {
  error?: string;
  /** Each is a JSON text. */
  manifests?: string[];
}

export interface RepoServer {
  ask(request: Readonly<Record<string, unknown>>): Promise<Answer>;
  stop(): void;
}

/** Returns the program of a module of test: the one that a variable names, or built here, which may take minutes. */
export function programOf(module: 'argocd' | 'flux-controllers', variable: string): string {
  const given = process.env[variable];
  if (given !== undefined) return given;
  const program = join(process.cwd(), `node_modules/.cache/${module}-harness`);
  const env = { ...process.env, GOTOOLCHAIN: 'auto' };
  execFileSync('go', ['build', '-C', `test/${module}`, '-o', program, '.'], { stdio: 'inherit', env });
  return program;
}

/**
 * Starts Argo CD's repo-server, and argocd-cmp-server with the built command as the plugin. `top` is a folder for their
 * files.
 */
export async function startRepoServer(program: string, top: string): Promise<RepoServer> {
  for (const folder of ['plugins', 'tmp', 'home', 'bin', 'work', 'config'])
    mkdirSync(join(top, folder), { recursive: true });
  // It is called to verify signatures, of which there are none.
  writeFileSync(join(top, 'bin/git-verify-wrapper.sh'), '#!/bin/sh\n', { mode: 0o755 });
  const command = process.env.RENDER_RGD ?? join(process.cwd(), 'dist/render-rgd.js');
  if (!existsSync(command)) throw new Error(`${command} does not exist: npm run build`);
  symlinkSync(command, join(top, 'bin/render-rgd'));
  copyFileSync('plugin.yaml', join(top, 'config/plugin.yaml'));
  const env = {
    PATH: `${join(top, 'bin')}:${process.env.PATH}`,
    HOME: join(top, 'home'),
    TMPDIR: join(top, 'tmp'),
    ARGOCD_PLUGINSOCKFILEPATH: join(top, 'plugins'),
  };
  const sidecar = spawn(program, ['cmp-server', '--config-dir-path', join(top, 'config'), '--loglevel', 'error'], {
    env: { ...env, ARGOCD_CMP_WORKDIR: join(top, 'work') },
    stdio: 'ignore',
  });
  while (!existsSync(join(top, 'plugins/render-rgd.sock'))) {
    if (sidecar.exitCode !== null) throw new Error(`argocd-cmp-server ended with ${sidecar.exitCode}`);
    await pause(20);
  }
  const server = spawn(program, ['repo-server'], {
    env: { ...env, ARGOCD_GPG_ENABLED: 'false', HARNESS_REQUEST_TIMEOUT: '10m' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (request) => {
      server.stdin.write(`${JSON.stringify({ id: 1, ...request })}\n`);
      return JSON.parse((await lines.next()).value as string) as Answer;
    },
    stop: () => {
      server.kill('SIGKILL');
      // It may wait for open requests for ever.
      sidecar.kill('SIGKILL');
    },
  };
}
