import { flagOf, sharedOptions } from '../render/options/index.ts';
import { type Command, type Context, GROUPS } from './command.ts';
import { entry, optionHelp } from './option-help.ts';

/** Prints `--help`. */
export function generalHelp({ commands, io }: Context): string {
  const width = io.columns();
  const groups = GROUPS.map((group) => {
    const list = Object.entries(commands).filter(([, command]) => command.group === group);
    const lines = list.flatMap(([name, { usage, summary }]) => entry(`${name} ${usage}`, summary, width));
    return `${group}:\n${lines.join('\n')}\n`;
  });
  return `Renders kro ResourceGraphDefinitions and their instances into plain, labelled Kubernetes objects.

Usage:
  render-rgd COMMAND [arguments]
  render-rgd < RESOURCE_LIST      the KRM function of kustomize and kpt

${groups.join('\n')}
  render-rgd help COMMAND, or COMMAND --help, describes a command.
  render-rgd help options describes the options that commands share.
  render-rgd --version prints the version.

Exit codes: 0 fine, 1 the input is wrong, 2 the command line is wrong, 3 a bug in render-rgd.
`;
}

/** Prints `COMMAND --help`: its own options first, then the names of shared ones. */
export function commandHelp(name: string, { commands, io }: Context): string {
  const { usage, summary, own, shared, examples = [] } = commands[name] as Command;
  const width = io.columns();
  const sections = [
    `${summary}\n`,
    `Usage:\n${usage
      .split(' | ')
      .map((way) => `  render-rgd ${name} ${way}\n`)
      .join('')}`,
    Object.keys(own).length === 0 ? '' : `Options:\n${optionHelp(own, width)}\n`,
    Object.keys(shared).length === 0
      ? ''
      : `Shared options, which render-rgd help options describes:\n${entry('', namesIn(shared), width, 2).join('\n')}\n`,
    examples.length === 0
      ? ''
      : `Examples:\n${examples.map(([command, does]) => `  render-rgd ${command}\n      ${does}\n`).join('')}`,
  ];
  return sections.filter((section) => section !== '').join('\n');
}

const namesIn = (options: Command['shared']): string => Object.keys(options).map(flagOf).sort().join(' ');

/** Prints `help options`. */
export const optionsHelp = ({ io }: Context): string =>
  `The options that commands share.\nrender-rgd help COMMAND lists those that it takes.\n\n${optionHelp(sharedOptions, io.columns())}\n`;
