import {
  defaultSettings,
  defaultsOf,
  type OptionSet,
  type Settings,
  type SettingsOf,
} from '../render/options/index.ts';
import { parseArguments } from './arguments.ts';
import { refuse } from './conclude.ts';
import type { Io } from './io.ts';
import { objectFormat } from './output.ts';
import { reportTargets } from './report.ts';

/** The headings of `--help`, in their order. */
export const GROUPS = ['Render', 'Check', 'Author', 'Set up'] as const;

/** What a command runs in. */
export interface Context {
  io: Io;
  /** The version of render-rgd. */
  version: string;
  /** Every command by its name. */
  commands: Readonly<Record<string, Command>>;
}

/** One call of a command whose command line is right. */
export interface Invocation<Own extends OptionSet = Record<never, never>> extends Context {
  name: string;
  settings: Settings & SettingsOf<Own>;
  paths: readonly string[];
  wantsJson: boolean;
}

interface Described<Own extends OptionSet> {
  group: (typeof GROUPS)[number];
  /** What is behind the name in the usage line; ` | ` between several. */
  usage: string;
  summary: string;
  /** Commands to try, with what each does. */
  examples?: readonly (readonly [command: string, does: string])[];
  /** Words that may be first, beside paths. */
  words?: readonly string[];
  /** What the first word is, for shells: found in the files of the folder. */
  firstWord?: 'kinds' | 'instances';
  /** The options of this command alone, which are first in its help. */
  own: Own;
  /** The shared options that it takes. */
  shared: OptionSet;
  /** Shared options that mean nothing to it. It takes them, so that a script can give all commands the same. */
  ignored?: OptionSet;
}

interface Spec<Own extends OptionSet> extends Described<Own> {
  /** How many words it needs, and which: `needs` completes "render needs". */
  needs?: readonly [count: number, what: string];
  /** Yields the exit code. */
  run: (invocation: Invocation<Own>) => number | Promise<number>;
}

/** A command, which a line of `commands.ts` names. */
export interface Command extends Described<OptionSet> {
  /** A runner calls it, and knows the exit codes 0 and 1 only. */
  forRunner?: true;
  /** Yields the exit code. */
  start: (name: string, args: readonly string[], context: Context) => number | Promise<number>;
}

/** Declares a command: its options, and what it does with them. */
export function defineCommand<Own extends OptionSet>(spec: Spec<Own>): Command {
  const known = { ...spec.shared, ...spec.ignored, ...spec.own };
  const defaults = { ...defaultSettings, ...defaultsOf(spec.own) };
  return {
    ...spec,
    start: (name, args, context) => {
      const { values, paths, fault } = parseArguments(args, known);
      const settings = { ...defaults, ...(values as Partial<Settings & SettingsOf<Own>>) };
      // Objects are JSON for whatever reads them next, and errors are for people.
      const wantsJson = values.output === 'json' && spec.own.output !== objectFormat;
      const invocation = { ...context, name, settings, paths, wantsJson };
      if (fault !== undefined) return refuse(fault, invocation);
      const targets = reportTargets(settings);
      if ('fault' in targets) return refuse(targets.fault, invocation);
      const [count, what] = spec.needs ?? [0, ''];
      return paths.length < count ? refuse(`${name} needs ${what}`, invocation) : spec.run(invocation);
    },
  };
}
