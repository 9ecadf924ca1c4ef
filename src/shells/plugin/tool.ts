import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Variables } from '../../options/plugin-parameters.ts';

/**
 * Runs kustomize or helm in the current folder and yields what it prints; undefined, and reported, when it fails. They
 * get hardly anything of the environment, so that nothing of the sidecar ends up in an object, and helm no plugins.
 */
export function runTool(
  tool: 'kustomize' | 'helm',
  args: readonly string[],
  variables: Variables,
  reports: Report[],
): string | undefined {
  // Loading it takes longer than many a rendering, and most plugins build nothing.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { PATH, TMPDIR = '/tmp', HOME = TMPDIR } = variables;
  const { error, status, signal, stdout, stderr } = spawnSync(tool, args, {
    env: { PATH, HOME, TMPDIR, HELM_PLUGINS: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 29,
    encoding: 'utf8',
  });
  const report = (message: string, hint?: string): undefined => {
    reports.push({ code: 'build-failed', message, path: [], ...(hint === undefined ? {} : { hint }) });
  };
  if (error !== undefined) {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    if (!isMissing) return report(`${tool} did not run: ${error.message}`);
    return report(`${tool} is not on the PATH of this sidecar`, 'use the image plugin-full, or one that has it');
  }
  if (status === 0) return stdout;
  const said = stderr.trim();
  const end = signal === null ? `exit code ${status}` : `signal ${signal}`;
  return report(`${tool} failed with ${end}${said === '' ? '' : `:\n${said}`}`);
}
