import { join } from 'node:path';
import type { RunTool } from '../../authoring/plan/index.ts';
import { Collector } from '../../core/diagnostics/index.ts';
import { withinAny } from '../boundary.ts';
import { type Allowed, checkKustomization } from '../plugin/tree/kustomization.ts';

const MOST_BYTES = 1 << 29;

/**
 * Runs kustomize and helm of the PATH below a folder. They may run what the repository names; fetches of kustomize and
 * reads outside of the repository are rejected before, as in the plugin.
 */
export const toolsIn =
  (folder: () => string, allowRemote: boolean): RunTool =>
  (tool, path, args) => {
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const cwd = join(folder(), path);
    const allowed = { within: withinAny([folder()]), remote: allowRemote, functions: args.includes('--enable-exec') };
    const refusal = tool === 'kustomize' ? refusalOf(cwd, allowed) : undefined;
    if (refusal !== undefined) return { fault: refusal };
    const { error, status, stdout, stderr } = spawnSync(tool, [...args, '.'], {
      cwd,
      encoding: 'utf8',
      maxBuffer: MOST_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (error !== undefined) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return { fault: isMissing ? `${tool} is not on the PATH` : `${tool} did not run: ${error.message}` };
    }
    const words = stderr.trim().split('\n').slice(0, 3).join(' ');
    return status === 0 ? { text: stdout } : { fault: `${tool} failed with exit code ${status}: ${words}` };
  };

function refusalOf(folder: string, allowed: Allowed): string | undefined {
  const reports = new Collector();
  checkKustomization(folder, allowed, reports);
  const [first] = reports.all;
  if (first === undefined) return undefined;
  return `kustomize is not run: ${first.message}${first.code === 'build-remote' ? '; --allow-remote lets it fetch' : ''}`;
}
