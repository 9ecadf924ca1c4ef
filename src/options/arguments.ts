import { nearest } from '../text/nearest.ts';
import { choicesOf, defaultsFor, type Option, optionsOf, type Settings, type Where } from './table.ts';
import { settingFromText } from './value.ts';

/** What the arguments of a command say, or what is wrong with them. */
export type Arguments = { settings: Settings; paths: string[] } | { fault: string };

/** Reads the arguments of a command. Options may stand between paths; everything after `--` is a path. */
export function parseArguments(args: readonly string[], where: Where): Arguments {
  const settings: Record<string, unknown> = { ...defaultsFor(where) };
  const paths: string[] = [];
  const known = optionsOf(where);
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as string;
    if (argument === '--') {
      paths.push(...args.slice(at + 1));
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      paths.push(argument);
      continue;
    }
    const { flag, inline } = splitFlag(argument);
    const found = known.find(([, option]) => option.flag === flag || option.short === flag);
    if (found === undefined) return { fault: unknownFlag(flag, known) };
    const [name, option] = found;
    const text = inline ?? argumentOf(option, args[at + 1]);
    if (text === undefined) return { fault: `${flag} needs a value: ${argumentName(option, where)}` };
    if (inline === undefined && option.type !== 'boolean') at += 1;
    const parsed = settingFromText(option, text, where);
    if ('fault' in parsed) return { fault: `${flag}: ${[parsed.fault, parsed.hint].filter(Boolean).join('; ')}` };
    settings[name] = option.type === 'list' ? [...(settings[name] as string[]), text] : parsed.value;
  }
  return { settings: settings as unknown as Settings, paths };
}

/** `--flag=value`, `-o=value` and `-ovalue` carry their value. */
function splitFlag(argument: string): { flag: string; inline: string | undefined } {
  const equals = argument.indexOf('=');
  if (equals > 0) return { flag: argument.slice(0, equals), inline: argument.slice(equals + 1) };
  if (!argument.startsWith('--') && argument.length > 2)
    return { flag: argument.slice(0, 2), inline: argument.slice(2) };
  return { flag: argument, inline: undefined };
}

/** The argument that follows a flag; another flag is none. A boolean takes none. */
function argumentOf(option: Option, next: string | undefined): string | undefined {
  if (option.type === 'boolean') return 'true';
  return next === undefined || (next.startsWith('-') && next !== '-') ? undefined : next;
}

/** What a flag takes, as `--help` shows it. */
export function argumentName(option: Option, where?: Where): string {
  if (option.type === 'boolean') return '';
  if (option.type !== 'choice') return option.value;
  const choices = where === undefined ? option.choices.map(({ value }) => value) : choicesOf(option, where);
  return choices.join('|');
}

function unknownFlag(flag: string, known: readonly [string, Option][]): string {
  const [meant] = nearest(flag, [...known.map(([, option]) => option.flag), '--help', '--version'], 1);
  return `unknown option ${flag}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
