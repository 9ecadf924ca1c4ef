import table from '../../data/commands.json';
import { ownValue } from '../core/model/value.ts';
import { flagOf, type Option, type OptionSet, sharedOptions } from '../render/options/index.ts';
import type { Command, Context } from './command.ts';
import { argumentName } from './command.ts';

interface Description {
  group: string;
  /** The text after the name in the usage line; ` | ` between several. */
  usage: string;
  summary: string;
  examples?: readonly (readonly string[])[];
}

export const descriptions: Readonly<Record<string, Description>> = table;

const GROUPS = ['Render', 'Check', 'Author', 'Set up'];

/** Returns the help of a command or of `options`, and that of the whole program for ''; undefined for another name. */
export async function helpText(name: string, { commands, io }: Context): Promise<string | undefined> {
  const width = io.columns();
  if (name === '') return generalHelp(width);
  if (name === 'options') {
    const heading = 'The options that commands share.\nrender-rgd help COMMAND lists those that it takes.\n\n';
    return `${heading}${optionHelp(sharedOptions, width)}\n`;
  }
  const all = await commands();
  const command = Object.hasOwn(all, name) ? all[name] : undefined;
  return command && commandHelp(name, command, width);
}

function generalHelp(width: number | undefined): string {
  const groups = GROUPS.map((group) => {
    const list = Object.entries(descriptions).filter(([, one]) => one.group === group);
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

/** Shared options that most users of a command need. */
const USUAL: readonly string[] = ['definitions', 'namespace', 'observed', 'exclude', 'all'];

/** Its own options come first, then the shared ones that most users need, then the names of the others. */
function commandHelp(name: string, { own, shared }: Command, width: number | undefined): string {
  const { usage = '', summary = '', examples = [] } = ownValue(descriptions, name) ?? {};
  const ways = usage.split(' | ').map((way) => `  render-rgd ${name} ${way}`);
  const usual = Object.entries(shared).filter(([key]) => USUAL.includes(key));
  const others = Object.keys(shared).filter((key) => !USUAL.includes(key));
  const names = others.map(flagOf).sort().join(' ');
  const sections: readonly [heading: string, text: string][] = [
    ['Usage', ways.join('\n')],
    ['Options', optionHelp({ ...own, ...Object.fromEntries(usual) }, width)],
    ['More options, which render-rgd help options describes', names && entry('', names, width, 2).join('\n')],
    ['Examples', examples.map(([command, does]) => `  render-rgd ${command}\n      ${does}`).join('\n')],
  ];
  const shown = sections.filter(([, text]) => text !== '').map(([heading, text]) => `${heading}:\n${text}\n`);
  return [`${summary}\n`, ...shown].join('\n');
}

const COLUMN = 34;
const WIDTH = 100;

const optionHelp = (options: OptionSet, width?: number): string =>
  Object.entries(options)
    .flatMap(([name, option]) => entry(usageOf(name, option), describeOption(option), width))
    .join('\n');

function entry(name: string, description: string, columns = WIDTH, column = COLUMN): string[] {
  const width = Math.min(Math.max(columns, column + 20), WIDTH);
  const lines: string[] = [];
  let line = `  ${name}`.padEnd(column);
  if (line.length > column) {
    lines.push(line);
    line = ' '.repeat(column);
  }
  for (const word of description.split(' ')) {
    if (line.length + word.length > width) {
      lines.push(line.trimEnd());
      line = ' '.repeat(column);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

const usageOf = (name: string, option: Option): string => {
  const names = option.short === undefined ? flagOf(name) : `${option.short}, ${flagOf(name)}`;
  const value = option.type === 'choice' ? 'WORD' : argumentName(option);
  return value === '' ? names : `${names} ${value}`;
};

export function describeOption(option: Option): string {
  const { description } = option;
  if (option.type === 'list') return `${description} May be repeated.`;
  if (option.type === 'integer') return `${description} Default ${option.default}.`;
  if (option.type !== 'choice') return description;
  const choices = option.choices.map((value) => (value === option.default ? `${value} (default)` : value));
  return `${description} One of ${choices.join(', ')}.`;
}
