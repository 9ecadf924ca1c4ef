import { readInput } from '../../authoring/input/index.ts';
import { outputReports } from '../../authoring/plugin/index.ts';
import { Collector, trusted } from '../../core/diagnostics/index.ts';
import { nearest } from '../../core/text/nearest.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import type { Variables } from '../../render/options/index.ts';
import { renderOverEarlier } from '../../render/rerender/index.ts';
import type { Command } from '../command.ts';
import { readerWith } from '../gather.ts';
import { exitCode, type Io, type Output, objectsOutput } from '../output.ts';
import { withTraces } from '../traces.ts';
import { build, checkGiven } from './build.ts';
import { discover } from './discover.ts';
import { administratorOptions, type Given, readGiven } from './given.ts';
import { announceFound } from './parameters.ts';
import { pluginText } from './report.ts';

interface Verb {
  /** Returns the output; nothing if one of the reports is an error. */
  run: (given: Given, reports: Collector) => Output;
  /** It uses the valid part: `generate` reports the errors. */
  lenient: boolean;
}

const verbs: Readonly<Record<string, Verb>> = {
  discover: { run: discover, lenient: true },
  generate: { run: generate, lenient: false },
  parameters: { run: announceFound, lenient: true },
};

export const plugin: Command = {
  group: 'Set up',
  usage: 'discover|generate|parameters [options]',
  summary: 'Run as an Argo CD plugin in the current folder; parameters come from the environment.',
  words: Object.keys(verbs),
  own: administratorOptions,
  shared: {},
  forRunner: true,
  start: (_, args, { io }) => pluginCommand(args, io),
};

/** Runs `render-rgd plugin VERB [options]`: works in the current folder, stdin is empty, exit codes are 0 and 1. */
export async function pluginCommand(
  args: readonly string[],
  io: Io,
  variables: Variables = process.env,
): Promise<number> {
  const [name = '', ...flags] = args;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) {
    const known = Object.keys(verbs);
    const [intended] = nearest(name, known, 1);
    const hint = intended === undefined ? '' : `; did you mean ${intended}?`;
    return refuse(`plugin needs one of ${known.join(', ')}${hint}`, io);
  }
  const reports = new Collector();
  let given = readGiven(flags, variables, reports);
  if ('fault' in given && verb.lenient) given = readGiven([], variables, reports);
  if ('fault' in given) return refuse(`plugin ${name}: ${given.fault}`, io);
  const output = verb.run(given, reports);
  if (!verb.lenient) io.stderr(pluginText(reports.all, given.repository));
  if (!verb.lenient && reports.hasErrors) return exitCode.input;
  io.stdout(output);
  return exitCode.ok;
}

/** A runner knows one exit code for all errors. */
function refuse(fault: string, io: Io): number {
  io.stderr(pluginText([{ code: 'command-line', message: trusted.argument(fault), path: [] }], process.cwd()));
  return exitCode.input;
}

/**
 * Renders the current folder. Prints every object for a cluster: Argo CD prunes others. One object per line, as JSON,
 * because Argo CD reads it several times faster than YAML.
 */
function generate(given: Given, reports: Collector): Output {
  checkGiven(given, reports);
  if (reports.hasErrors) return [];
  const { settings, within } = given;
  const options = { exclude: settings.exclude, within };
  const texts = build(given, reports);
  if (reports.hasErrors) return [];
  const input = withTraces(readInput(texts, settings, readerWith(options), reports), () => [given.repository], within);
  const output = renderOverEarlier(input, settings);
  const printed = objectsToPrint(output, { all: true }).objects;
  const all = { entries: output.entries, reports: [...reports, ...output.reports] };
  reports.replaceAll(outputReports(all, printed, settings.allowEmpty));
  return reports.hasErrors ? [] : objectsOutput(printed, 'lines');
}
