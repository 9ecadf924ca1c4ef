import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

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

/** Starts Argo CD's repo-server without plugins. `top` is a folder for its files. */
export function startRepoServer(program: string, top: string): RepoServer {
  for (const folder of ['plugins', 'tmp', 'home', 'bin']) mkdirSync(join(top, folder), { recursive: true });
  // It is called to verify signatures, of which there are none.
  writeFileSync(join(top, 'bin/git-verify-wrapper.sh'), '#!/bin/sh\n', { mode: 0o755 });
  const server = spawn(program, ['repo-server'], {
    env: {
      PATH: `${join(top, 'bin')}:${process.env.PATH}`,
      HOME: join(top, 'home'),
      TMPDIR: join(top, 'tmp'),
      ARGOCD_PLUGINSOCKFILEPATH: join(top, 'plugins'),
      ARGOCD_GPG_ENABLED: 'false',
      HARNESS_REQUEST_TIMEOUT: '10m',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (request) => {
      server.stdin.write(`${JSON.stringify({ id: 1, ...request })}\n`);
      return JSON.parse((await lines.next()).value as string) as Answer;
    },
    stop: () => void server.kill(),
  };
}
