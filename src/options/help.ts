import { argumentName } from './arguments.ts';
import { choicesOf, defaultOf, type Option, optionsOf, type Where } from './table.ts';

const WIDTH = 100;
const COLUMN = 34;

/** The options that someone takes, as `--help` lists them. */
export function optionHelp(where: Where): string {
  const meant = optionsOf(where).filter(([, option]) => option.not?.includes(where) !== true);
  const lines = meant.flatMap(([, option]) => entry(usageOf(option), describe(option, where)));
  return lines.join('\n');
}

/** A name and its description in two columns, wrapped. */
export function entry(name: string, description: string): string[] {
  const lines: string[] = [];
  let line = `  ${name}`.padEnd(COLUMN);
  if (line.length > COLUMN) {
    lines.push(line);
    line = ' '.repeat(COLUMN);
  }
  for (const word of description.split(' ')) {
    if (line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(COLUMN);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

const usageOf = (option: Option): string => {
  const names = option.short === undefined ? option.flag : `${option.short}, ${option.flag}`;
  const value = option.type === 'choice' ? 'WORD' : argumentName(option);
  return value === '' ? names : `${names} ${value}`;
};

/** What an option does, and which values it takes. */
export function describe(option: Option, where: Where): string {
  const notes: string[] = [];
  if (option.type === 'choice') {
    const choices = choicesOf(option, where).map((value) =>
      value === defaultOf(option, where) ? `${value} (default)` : value,
    );
    notes.push(`One of ${choices.join(', ')}.`);
  }
  if (option.type === 'list' && where !== 'plugin') notes.push('May be repeated.');
  if (option.type === 'integer') notes.push(`Default ${option.default}.`);
  return [option.description, ...notes].join(' ');
}
