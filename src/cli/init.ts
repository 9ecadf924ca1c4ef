import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../author/project/index.ts';
import { told, trusted } from '../core/diagnostics/index.ts';
import { visible } from '../core/text/visible.ts';
import { flag } from '../render/options/index.ts';
import { defineCommand, type Invocation, plainReporting } from './command.ts';
import { ifPossible, linkStatOf, readRegularText } from './file-system.ts';
import { conclude, fail, type Io, refuse } from './output.ts';
import { INSIDE, isUsed, replaceFiles } from './write/index.ts';

const initOptions = {
  vendor: flag('Copy the command into the project, instead of a workflow that downloads a release.'),
};

export const init = defineCommand({
  own: initOptions,
  shared: plainReporting,
  needs: [1, 'one DIR', 1],
  run: writeProject,
});

function writeProject(invocation: Invocation<typeof initOptions>): number {
  const [folder = ''] = invocation.paths;
  const own = ownProgram(process.argv[1]);
  if (invocation.settings.vendor && own === undefined) {
    return refuse('--vendor needs a render-rgd that is one file for Node: this is another build', invocation);
  }
  const isCopied = invocation.settings.vendor || (own !== undefined && wantsCopy(invocation.io));
  const program = isCopied ? own : undefined;
  const files = [...projectFiles(program)].map(([path, text]) => ({ path: join(folder, path), text }));
  const isSame = (file: string, text: string): boolean =>
    linkStatOf(file)?.isFile() === true && ifPossible(() => readRegularText(file)) === text;
  const present = files.filter(({ path }) => linkStatOf(path) !== undefined);
  // A run that was killed left some of the files.
  const isComplete = present.length === files.length && !isUsed(join(folder, INSIDE));
  const taken = isComplete ? present[0] : present.find(({ path, text }) => !isSame(path, text));
  if (taken !== undefined) {
    const message = told`${{ file: trusted.file(taken.path) }} already exists, and is not overwritten`;
    return fail('unwritable-file', message, invocation);
  }
  const changes = files.map(({ path, text }) => ({ file: path, output: [text] }));
  const faults = replaceFiles(folder, changes, { expects: (content) => content === undefined });
  if (faults.length > 0) return conclude(invocation, faults);
  const lines = [
    ...files.map(({ path }) => `  ${path}\n`),
    '\nTry:\n',
    ...['validate', 'render', 'test'].map((command) => `  render-rgd ${command} ${folder}\n`),
    ...(program === undefined ? WITHOUT_RELEASE : []),
  ];
  return conclude(invocation, [], () => [visible(lines.join(''))]);
}

const WITHOUT_RELEASE = [
  '\nThe workflow downloads a release of render-rgd, and fails until this version is released. Without a release:\n',
  '  render-rgd init DIR --vendor    copies the command into the project\n',
  '  or install a file of your own in the workflow\n',
];

/** Asks on a terminal whether the project gets a copy of the command. */
export function wantsCopy(io: Pick<Io, 'stdinIsTerminal' | 'columns' | 'stderr' | 'line'>): boolean {
  if (!io.stdinIsTerminal() || io.columns() === undefined) return false;
  io.stderr(
    'The workflow needs render-rgd. Copy this command into the project, instead of downloading a release? [y/N] ',
  );
  return /^y(es)?$/i.test(io.line().trim());
}

/** Returns the command itself, if it is the single file that Node runs; an executable is too large for a repository. */
export function ownProgram(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const text = ifPossible(() => readFileSync(realpathSync(path), 'utf8')) ?? '';
  const isProgram = /^#!\/usr\/bin\/env node\n/.test(text) && text.includes('render-rgd') && text.length > 100_000;
  return isProgram ? text : undefined;
}
