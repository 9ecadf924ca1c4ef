import { Collector } from '../../diagnostics/index.ts';
import type { Variables } from '../../options/index.ts';
import { nearest } from '../../text/nearest.ts';
import { exitCode, type Io } from '../io.ts';
import type { Output } from '../output.ts';
import { discover } from './discover.ts';
import { generate } from './generate.ts';
import { type Given, readGiven } from './given.ts';
import { announceFound } from './parameters.ts';
import { pluginText } from './report.ts';

interface Verb {
  /** Yields what to print; nothing with an error among the reports. */
  run: (given: Given, reports: Collector) => Output;
  /** It makes do with what is right: what is wrong is for `generate` to say. */
  lenient: boolean;
}

const verbs: Readonly<Record<string, Verb>> = {
  discover: { run: discover, lenient: true },
  generate: { run: generate, lenient: false },
  parameters: { run: announceFound, lenient: true },
};

/** `render-rgd plugin VERB [options]`: works in the current folder, stdin is empty, exit codes are 0 and 1. */
export async function pluginCommand(
  args: readonly string[],
  io: Io,
  variables: Variables = process.env,
): Promise<number> {
  const [name = '', ...flags] = args;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) return refuse(name, io);
  const reports = new Collector();
  let given = readGiven(flags, variables, reports);
  if ('fault' in given && verb.lenient) given = readGiven([], variables, reports);
  if ('fault' in given) {
    io.stderr(`render-rgd: plugin ${name}: ${given.fault}\n`);
    return exitCode.input;
  }
  const output = verb.run(given, reports);
  if (!verb.lenient) io.stderr(pluginText(reports.all, given.repository));
  if (!verb.lenient && reports.hasErrors) return exitCode.input;
  io.stdout(output);
  return exitCode.ok;
}

function refuse(name: string, io: Io): number {
  const known = Object.keys(verbs);
  const [meant] = nearest(name, known, 1);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  io.stderr(`render-rgd: plugin needs one of ${known.join(', ')}${hint}\n`);
  return exitCode.input;
}
