import words from '../../data/other-words.json';
import type { Evidence } from '../core/ledger/index.ts';
import type { RenderOptions } from '../core/model/render.ts';
import { ownValue, setKey } from '../core/model/value.ts';
import { meaningsByWord, nearest } from '../core/text/nearest.ts';
import {
  defaultSettings,
  defaultsOf,
  definitionOptions,
  flagOf,
  instanceOptions,
  type Option,
  type OptionSet,
  renderingOptions,
  reportingOptions,
  type Settings,
  type SettingsOf,
  settingFromText,
} from '../render/options/index.ts';
import { unusable, type Within } from './file-system.ts';
import { conclude, type Io, objectFormat, refuse, reportTargets } from './output.ts';

const PATHS = [1, 'a PATH; - reads standard input'] as const;

/** The options of commands that read RGDs and instances, and print no rendered objects. */
export const forPackages = {
  shared: { ...definitionOptions, ...instanceOptions, ...reportingOptions },
  ignored: renderingOptions,
  needs: PATHS,
} as const;

const { keepOwnerReferences, propagateLabels, propagateAnnotations, allowEmpty } = renderingOptions;

const { color, quiet, report } = reportingOptions;
export const plainReporting = { color, quiet, report };

/** The options of commands that check packages, and what changes of them. */
export const forChecks = {
  shared: forPackages.shared,
  ignored: { keepOwnerReferences, propagateLabels, propagateAnnotations, allowEmpty },
} as const;

export const forDefinitions = {
  shared: { ...definitionOptions, ...reportingOptions },
  ignored: { ...instanceOptions, ...renderingOptions },
  needs: PATHS,
} as const;

export interface Context {
  io: Io;
  version: string;
  commands: () => Promise<Readonly<Record<string, Command>>>;
  /** The boundary of what a command for RGDs may read; no limit by default. */
  within?: Within;
  /** Set for an assistant: values of Secrets are not even read. */
  withholdsSecrets?: true;
  /** Receives what a command looked at, for a program that starts it. */
  account?: (evidence: Evidence) => void;
}

export interface Invocation<Own extends OptionSet = Record<never, never>> extends Context {
  name: string;
  settings: Settings & SettingsOf<Own> & Pick<RenderOptions, 'unknownSecrets'>;
  paths: readonly string[];
  wantsJson: boolean;
}

interface Described<Own extends OptionSet> {
  /** Words that may come first, besides paths. */
  words?: readonly string[];
  /** The first word, for completion: found in the files of the folder. */
  firstWord?: 'kinds' | 'instances';
  /** The options of this command, which come first in its help. */
  own: Own;
  shared: OptionSet;
  /** Shared options without effect. They are accepted, so that a script can pass the same ones to all commands. */
  ignored?: OptionSet;
}

interface Spec<Own extends OptionSet> extends Described<Own> {
  /** The required words and their number: `needs` completes "render needs". `most` is the number that is accepted. */
  needs?: readonly [count: number, what: string, most?: number];
  run: (invocation: Invocation<Own>) => number | Promise<number>;
}

export interface Command extends Described<OptionSet> {
  /** A runner calls it, which knows only the exit codes 0 and 1. */
  forRunner?: true;
  start: (name: string, args: readonly string[], context: Context) => number | Promise<number>;
}

export function defineCommand<Own extends OptionSet>(spec: Spec<Own>): Command {
  const known = { ...spec.shared, ...spec.ignored, ...spec.own };
  const defaults = { ...defaultSettings, ...defaultsOf(spec.own) };
  return {
    ...spec,
    start: (name, args, context) => {
      const { values, paths, fault } = parseArguments(args, known);
      const settings: Invocation<Own>['settings'] = { ...defaults, ...(values as Partial<Settings & SettingsOf<Own>>) };
      if (context.withholdsSecrets) settings.unknownSecrets = 'everywhere';
      // Objects are JSON for programs, and errors are for people.
      const wantsJson = values.output === 'json' && spec.own.output !== objectFormat;
      const invocation = { ...context, name, settings, paths, wantsJson };
      const wrong = fault ?? reportTargets(settings).fault;
      if (wrong !== undefined) return refuse(wrong, invocation);
      const [count, what, most = Number.POSITIVE_INFINITY] = spec.needs ?? [0, ''];
      if (paths.length > most)
        return refuse(`unexpected argument ${paths[most]}; see render-rgd ${name} --help`, invocation);
      return paths.length < count ? refuse(`${name} needs ${what}`, invocation) : runChecked(spec, invocation);
    },
  };
}

/** An error of the file system that no part of the command expects is one of the input, not of the program. */
async function runChecked<Own extends OptionSet>(spec: Spec<Own>, invocation: Invocation<Own>): Promise<number> {
  try {
    return await spec.run(invocation);
  } catch (error) {
    const report = unusable(error);
    if (report === undefined) throw error;
    return conclude(invocation, [report]);
  }
}

interface ParsedArguments {
  /** The values of the options that are there, by name. */
  values: Record<string, Option['default']>;
  paths: string[];
  /** What is wrong with the arguments. */
  fault: string | undefined;
}

/** Parses the arguments of a command. Options may be between paths; everything after `--` is a path. */
export function parseArguments(args: readonly string[], options: OptionSet): ParsedArguments {
  const values: Record<string, Option['default']> = {};
  const paths: string[] = [];
  let fault: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as string;
    if (argument === '--') {
      for (const path of args.slice(at + 1)) paths.push(path);
      break;
    }
    if (!isFlag(argument)) {
      paths.push(argument);
      continue;
    }
    const given = { ...splitFlag(argument), next: args[at + 1] };
    // As in kubectl.
    if (FILE_FLAGS.includes(given.flag)) {
      const file = given.inline ?? given.next;
      if (given.inline === undefined) at += 1;
      if (file === undefined) fault ??= `${given.flag} needs a value: PATH`;
      else paths.push(file);
      continue;
    }
    const found = optionOf(given.flag, options);
    if (found === undefined) {
      fault ??= unknownFlag(given.flag, options);
      continue;
    }
    const read = readOption(given, found, options, values);
    if (read.takesNext) at += 1;
    fault ??= read.fault;
  }
  return { values, paths, fault };
}

/** A flag of the arguments, with its value if it is in the same argument, and the argument after it. */
interface GivenFlag {
  flag: string;
  inline: string | undefined;
  next: string | undefined;
}

/** Returns the option that has this flag, with its name. */
const optionOf = (flag: string, options: OptionSet): readonly [name: string, option: Option] | undefined =>
  Object.entries(options).find(([name, { short, aliases = [] }]) => [flagOf(name), short, ...aliases].includes(flag));

/** Sets an option, and reports whether its value is the next argument. */
function readOption(
  { flag, inline, next }: GivenFlag,
  [name, option]: readonly [name: string, option: Option],
  options: OptionSet,
  values: Record<string, Option['default']>,
): { takesNext: boolean; fault: string | undefined } {
  if (option.type === 'boolean') return { takesNext: false, fault: set(values, name, flag, option, inline ?? 'true') };
  const isValue = next !== undefined && !isFlag(next);
  const text = inline ?? (isValue ? next : undefined);
  if (text === undefined) return { takesNext: false, fault: withoutValue(flag, option, next) };
  const own = set(values, name, flag, option, text);
  const fault = isUnknownFormat(name, own, options) ? `${own}; --output-dir DIR writes files` : own;
  return { takesNext: isValue && inline === undefined, fault };
}

/** Reports whether --output was rejected, which is a format, by a command whose folder is another option. */
const isUnknownFormat = (name: string, fault: string | undefined, options: OptionSet): boolean =>
  fault !== undefined && name === 'output' && Object.hasOwn(options, 'outputDir');

const FILE_FLAGS = ['-f', '--filename'];

/** `-` is standard input. */
const isFlag = (argument: string): boolean => argument.startsWith('-') && argument !== '-';

/** Splits `--flag=value`, `-o=value` and `-ovalue`. */
function splitFlag(argument: string): { flag: string; inline: string | undefined } {
  const equals = argument.indexOf('=');
  if (equals > 0) return { flag: argument.slice(0, equals), inline: argument.slice(equals + 1) };
  if (!argument.startsWith('--') && argument.length > 2)
    return { flag: argument.slice(0, 2), inline: argument.slice(2) };
  return { flag: argument, inline: undefined };
}

function withoutValue(flag: string, option: Option, next: string | undefined): string {
  const needs = `${flag} needs a value: ${argumentName(option)}`;
  return next === undefined ? needs : `${needs}; '${next}' looks like an option (${flag}=${next} if it is the value)`;
}

/** Sets an option, or returns the error of its value. The flag is as written. */
function set(
  values: Record<string, Option['default']>,
  name: string,
  flag: string,
  option: Option,
  text: string,
): string | undefined {
  const parsed = settingFromText(option, text);
  if ('fault' in parsed) return `${flag}: ${[parsed.fault, parsed.hint].filter(Boolean).join('; ')}`;
  const before = ownValue(values, name);
  if (option.type === 'list') {
    setKey(values, name, [...((before as readonly string[] | undefined) ?? []), text]);
    return undefined;
  }
  if (before !== undefined && (option.type !== 'boolean' || before !== parsed.value)) {
    return `${flag} is given twice, as '${before}' and as '${text}'; it takes one value`;
  }
  setKey(values, name, parsed.value);
  return undefined;
}

export const argumentName = (option: Option): string =>
  option.type === 'boolean' ? '' : option.type === 'choice' ? option.choices.join('|') : option.value;

const OTHER_OPTIONS = meaningsByWord(words.options);

function unknownFlag(flag: string, options: OptionSet): string {
  const other = OTHER_OPTIONS.get(flag);
  if (other !== undefined) return `unknown option ${flag}; ${other}`;
  const names = [...Object.keys(options).map(flagOf), '--help', '--version'].map((one) => one.replace(/^--/, ''));
  // Without the dashes, which are no typing error, so that short names are not taken for one another.
  const [intended] = nearest(flag.replace(/^-+/, ''), names, 1);
  return `unknown option ${flag}${intended === undefined ? '' : `; did you mean --${intended}?`}`;
}
