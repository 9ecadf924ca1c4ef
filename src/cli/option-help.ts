import { flagOf, type Option, type OptionSet } from '../render/options/index.ts';
import { argumentName } from './arguments.ts';

const COLUMN = 34;
/** The width without a terminal. */
const WIDTH = 100;

export const optionHelp = (options: OptionSet, width?: number): string =>
  Object.entries(options)
    .flatMap(([name, option]) => entry(usageOf(name, option), describeOption(option), width))
    .join('\n');

/** Formats a name and its description in two columns, wrapped. */
export function entry(name: string, description: string, columns = WIDTH, column = COLUMN): string[] {
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

/** Describes an option and its values. */
export function describeOption(option: Option): string {
  const { description } = option;
  if (option.type === 'list') return `${description} May be repeated.`;
  if (option.type === 'integer') return `${description} Default ${option.default}.`;
  if (option.type !== 'choice') return description;
  const choices = option.choices.map((value) => (value === option.default ? `${value} (default)` : value));
  return `${description} One of ${choices.join(', ')}.`;
}
