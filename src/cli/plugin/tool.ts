import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Collector, publicText } from '../../core/diagnostics/index.ts';
import type { Given } from './given.ts';

/** A missing program and a missing proxy: requests that a check overlooked fail. */
const NOWHERE = '/dev/null';
const NO_NETWORK = { PATH: NOWHERE, HTTP_PROXY: 'socks5://0.0.0.0:0', HTTPS_PROXY: 'socks5://0.0.0.0:0' };

/**
 * Runs kustomize or helm in the current folder and returns its output; undefined, and reported, after an error. They
 * get almost no environment variables, so that nothing of the sidecar flows into an object, and helm gets no plugins.
 * They find no program to run, in particular git, whose flags kustomize takes from the names of branches. With
 * --allow-remote they do, and git uses https only: its other transports run commands.
 */
export function runTool(
  tool: 'kustomize' | 'helm',
  args: readonly string[],
  { variables, settings }: Pick<Given, 'variables' | 'settings'>,
  reports: Collector,
): string | undefined {
  // Loading the module takes longer than many renderings, and most plugin calls build nothing.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { PATH = '', TMPDIR = '/tmp', HOME = TMPDIR } = variables;
  const network = settings.allowRemote ? { PATH, GIT_ALLOW_PROTOCOL: 'https', GIT_TERMINAL_PROMPT: '0' } : NO_NETWORK;
  const { error, status, signal, stdout, stderr } = spawnSync(programAt(tool, PATH), args, {
    env: { ...network, HOME, TMPDIR, HELM_PLUGINS: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 29,
    encoding: 'utf8',
  });
  const report = (message: string, hint?: string): undefined => {
    reports.add({
      code: 'build-failed',
      message: publicText`${message}`,
      path: [],
      ...(hint === undefined ? {} : { hint: publicText`${hint}` }),
    });
  };
  if (error !== undefined) {
    const isMissing = 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (!isMissing) return report(`${tool} did not run: ${error.message}`);
    return report(`${tool} is not on the PATH of this sidecar`, 'use the image plugin-full, or one that has it');
  }
  if (status === 0) return stdout;
  const output = stderr.trim();
  const end = signal === null ? `exit code ${status}` : `signal ${signal}`;
  return report(`${tool} failed with ${end}${output === '' ? '' : `:\n${output}`}`);
}

/** Ignores relative folders of the PATH, which would be in the repository. */
function programAt(tool: string, path: string): string {
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, tool)).find(isProgram) ?? join(NOWHERE, tool);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
