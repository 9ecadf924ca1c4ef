import { entry, optionHelp } from '../options/index.ts';
import { commands } from './commands.ts';

/** `--help` */
export function generalHelp(): string {
  const list = Object.entries(commands).flatMap(([name, { usage, summary }]) => entry(`${name} ${usage}`, summary));
  return `Renders kro ResourceGraphDefinitions and their instances into plain, labelled Kubernetes objects.

Usage:
  render-rgd COMMAND [arguments]
  render-rgd < RESOURCE_LIST      the KRM function of kustomize and kpt

Commands:
${list.join('\n')}

  render-rgd help COMMAND, or COMMAND --help, lists the options of a command.
  render-rgd --version prints the version.

Exit codes: 0 fine, 1 the input is wrong, 2 the command line is wrong, 3 a bug in render-rgd.
`;
}

/** `COMMAND --help` */
export function commandHelp(name: string): string {
  const { usage = '', summary = '', takes = 'cli', examples = [] } = commands[name] ?? {};
  const tried = examples.flatMap(([command, does]) => [`  render-rgd ${command}`, `      ${does}`]);
  const given = optionHelp(takes);
  const ways = usage.split(' | ').map((way) => `  render-rgd ${name} ${way}\n`);
  return `${summary}

Usage:
${ways.join('')}${given === '' ? '' : `\nOptions:\n${given}\n`}${tried.length === 0 ? '' : `\nExamples:\n${tried.join('\n')}\n`}`;
}
