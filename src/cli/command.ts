import {
  defaultSettings,
  defaultsOf,
  definitionOptions,
  instanceOptions,
  type OptionSet,
  renderingOptions,
  reportingOptions,
  type Settings,
  type SettingsOf,
} from '../render/options/index.ts';
import { parseArguments } from './arguments.ts';
import type { Within } from './boundary.ts';
import { refuse, reportTargets } from './conclude.ts';
import { type Io, objectFormat } from './output.ts';

const PATHS = [1, 'a PATH; - reads standard input'] as const;

/** The options of commands that read RGDs and instances, and print no rendered objects. */
export const forPackages = {
  shared: { ...definitionOptions, ...instanceOptions, ...reportingOptions },
  ignored: renderingOptions,
  needs: PATHS,
} as const;

const { keepOwnerReferences, propagateLabels, propagateAnnotations, allowEmpty } = renderingOptions;

/** The options of commands that check packages, and what changes of them. */
export const forChecks = {
  shared: forPackages.shared,
  ignored: { keepOwnerReferences, propagateLabels, propagateAnnotations, allowEmpty },
} as const;

/** The options of commands about RGDs only. */
export const forDefinitions = {
  shared: { ...definitionOptions, ...reportingOptions },
  ignored: { ...instanceOptions, ...renderingOptions },
  needs: PATHS,
} as const;

/** The headings of `--help`, in their order. */
export const GROUPS = ['Render', 'Check', 'Author', 'Set up'] as const;

export interface Context {
  io: Io;
  /** The version of render-rgd. */
  version: string;
  /** Every command by its name. */
  commands: () => Promise<Readonly<Record<string, Command>>>;
  /** The boundary of what a command for RGDs may read; no limit by default. */
  within?: Within;
}

/** One invocation of a command with valid arguments. */
export interface Invocation<Own extends OptionSet = Record<never, never>> extends Context {
  name: string;
  settings: Settings & SettingsOf<Own>;
  paths: readonly string[];
  wantsJson: boolean;
}

interface Described<Own extends OptionSet> {
  group: (typeof GROUPS)[number];
  /** The text after the name in the usage line; ` | ` between several. */
  usage: string;
  summary: string;
  /** Example commands with descriptions. */
  examples?: readonly (readonly [command: string, does: string])[];
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
  /** Returns the exit code. */
  run: (invocation: Invocation<Own>) => number | Promise<number>;
}

/** A command, which a line of `commands.ts` exports. */
export interface Command extends Described<OptionSet> {
  /** A runner calls it, which knows only the exit codes 0 and 1. */
  forRunner?: true;
  /** Returns the exit code. */
  start: (name: string, args: readonly string[], context: Context) => number | Promise<number>;
}

/** Declares a command: its options, and its implementation. */
export function defineCommand<Own extends OptionSet>(spec: Spec<Own>): Command {
  const known = { ...spec.shared, ...spec.ignored, ...spec.own };
  const defaults = { ...defaultSettings, ...defaultsOf(spec.own) };
  return {
    ...spec,
    start: (name, args, context) => {
      const { values, paths, fault } = parseArguments(args, known);
      const settings = { ...defaults, ...(values as Partial<Settings & SettingsOf<Own>>) };
      // Objects are JSON for programs, and errors are for people.
      const wantsJson = values.output === 'json' && spec.own.output !== objectFormat;
      const invocation = { ...context, name, settings, paths, wantsJson };
      const wrong = fault ?? reportTargets(settings).fault;
      if (wrong !== undefined) return refuse(wrong, invocation);
      const [count, what, most = Number.POSITIVE_INFINITY] = spec.needs ?? [0, ''];
      if (paths.length > most)
        return refuse(`unexpected argument ${paths[most]}; see render-rgd ${name} --help`, invocation);
      return paths.length < count ? refuse(`${name} needs ${what}`, invocation) : spec.run(invocation);
    },
  };
}
