import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM, projectFiles } from '../authoring/project/index.ts';
import { publicText } from '../core/diagnostics/index.ts';
import { visible } from '../core/text/visible.ts';
import { reportingOptions } from '../render/options/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { conclude, fail, refuse } from './conclude.ts';

const { color, quiet, report } = reportingOptions;

export const init = defineCommand({
  group: 'Set up',
  usage: 'DIR',
  summary: 'Write a small project to start from: an RGD, an instance, a test, a kustomization, a workflow.',
  examples: [['init website', 'Starts a project in the folder website.']],
  own: {},
  shared: { color, quiet, report },
  needs: [1, 'one DIR'],
  run: writeProject,
});

function writeProject(invocation: Invocation): number {
  const [folder = '', ...rest] = invocation.paths;
  if (rest.length > 0) return refuse('init needs one DIR', invocation);
  const program = ownProgram(process.argv[1]);
  const all = [...projectFiles(), ...(program === undefined ? [] : [[PROGRAM, program] as const])];
  const files = all.map(([path, text]) => ({ path: join(folder, path), text }));
  const taken = files.find(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (taken !== undefined) {
    return fail('unwritable-file', publicText`${taken.path} already exists, and is not overwritten`, invocation);
  }
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
    }
  } catch (error) {
    return fail('unwritable-file', publicText`${error instanceof Error ? error.message : String(error)}`, invocation);
  }
  const missing = `The workflow runs ${join(folder, PROGRAM)}: copy dist/render-rgd.js of the npm package there.\n`;
  const lines = [
    ...files.map(({ path }) => `  ${path}\n`),
    program === undefined ? `\n${missing}` : '',
    '\nTry:\n',
    ...['validate', 'render', 'test'].map((command) => `  render-rgd ${command} ${folder}\n`),
  ];
  return conclude(invocation, [], () => [visible(lines.join(''))]);
}

/** Returns the command itself, if it is the single file that Node runs; an executable is too large for a repository. */
export function ownProgram(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const text = readFileSync(realpathSync(path), 'utf8');
    return /^#!\/usr\/bin\/env node\n/.test(text) && text.includes('render-rgd') && text.length > 100_000
      ? text
      : undefined;
  } catch {
    return undefined;
  }
}
