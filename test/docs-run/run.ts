import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { bundle, command, execute, findTool, sandbox } from '../e2e/sandbox.ts';
import { matches, type Step, stepsOf } from './page.ts';

/** Tests have no cluster: this kubectl counts its input, which must not be empty, and ignores it. */
const KUBECTL = `#!/usr/bin/env bash
if [[ $1 == apply || $1 == diff ]]; then grep -c '^kind: ' >"$HOME/applied"; exit; fi
PATH=\${PATH#*:} exec kubectl "$@"
`;

/** Returns the tools that the commands of a page call. */
export const toolsOf = (markdown: string): string[] =>
  ['kustomize', 'kpt', 'kubectl'].filter((tool) =>
    stepsOf(markdown).some(
      (step) => step.do === 'run' && new RegExp(`(^|[|;&(] *)${tool} (?!apply|diff)`, 'm').test(step.script),
    ),
  );

/**
 * Runs a page in a copy of the examples: writes its files, runs its commands, compares their output. Returns the errors
 * by the lines of the page.
 */
export function runPage(markdown: string): string[] {
  const folder = dirname(sandbox());
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(command, join(bin, 'render-rgd'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(bundle), join(folder, 'node_modules/render-rgd'));
  writeFileSync(join(bin, 'kubectl'), KUBECTL);
  chmodSync(join(bin, 'kubectl'), 0o755);
  const tools = ['kustomize', 'kpt'].flatMap((tool) => findTool(tool) ?? []).map((path) => dirname(path));
  const path = [bin, process.env.PATH, ...tools].join(delimiter);
  const env = { ...process.env, PATH: path, HOME: folder };
  return stepsOf(markdown).flatMap((step) => runStep(step, folder, env) ?? []);
}

function runStep(step: Step, folder: string, env: NodeJS.ProcessEnv): string | undefined {
  if (step.do === 'write') {
    const file = join(folder, step.file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, step.text);
    return undefined;
  }
  const merge = step.expected?.form === 'terminal' ? 'exec 2>&1; ' : '';
  const script = `set -euo pipefail; ${merge}\n${step.script}`;
  const { code, stdout, stderr } = execute('bash', ['-c', script], { cwd: folder, env });
  const said = `${stdout}${stderr}`;
  if ((code !== 0) !== step.fails) return `line ${step.line}: exit code ${code}\n${said}`;
  if (step.expected === undefined || matches(step.expected.text, stdout)) return undefined;
  return `line ${step.line}: it prints\n${said}`;
}
