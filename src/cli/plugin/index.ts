import { relative, sep } from 'node:path';
import { opaqueReports, readDocuments } from '../../check/documents/index.ts';
import { withFiles } from '../../check/validate/index.ts';
import { Collector, counted, type Diagnostic, isError, type Report, trusted } from '../../core/diagnostics/index.ts';
import type { Evidence } from '../../core/ledger/index.ts';
import { groupKind, titleOf } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import { readInput } from '../../describe/input/index.ts';
import { outputReports } from '../../gitops/plugin/index.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import { keptReports, renderingEvidence } from '../../render/evidence/index.ts';
import type { Option } from '../../render/options/index.ts';
import { FOUND_DEFINITIONS, FOUND_INSTANCES, pluginOptions, type Variables } from '../../render/options/index.ts';
import type { RenderOutput } from '../../render/pipeline.ts';
import { renderOverEarlier } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { createLocator, formatDiagnostics, toDiagnostic, toDiagnostics } from '../../yaml/locate/index.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import type { Command } from '../command.ts';
import { readerWith } from '../files.ts';
import { describeOption } from '../help.ts';
import { exitCode, forRunners, type Io, objectsOutput } from '../output.ts';
import { withTraces } from '../traces.ts';
import type { Output } from '../write/index.ts';
import { administratorOptions, build, checkGiven, discover, findIn, type Given, readGiven } from './build.ts';

const MOST = 20;

/** The maximum size of one diagnostic in bytes of UTF-8: the total stays below 64 KiB, including the last line. */
const LONGEST = 3_000;

/** One line for each diagnostic, without quotes of files; paths start at the current folder, as parameters do. */
function pluginText(reports: readonly Report[], repository: string): string {
  const all = forRunners(reports);
  const locator = createLocator();
  const shown = all.slice(0, MOST).map((report) => oneText(toDiagnostic(report, locator), repository));
  return shown.join('') + restText(all.slice(MOST));
}

function oneText(diagnostic: Diagnostic, repository: string): string {
  const { message, hint } = diagnostic;
  const folded = {
    ...diagnostic,
    message: onOneLine(message),
    ...(hint === undefined ? {} : { hint: onOneLine(hint) }),
  };
  return shortened(withoutPlace(formatDiagnostics([folded]), repository));
}

const onOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Replaces paths of the working copy with paths relative to the current folder. */
function withoutPlace(text: string, repository: string): string {
  const here = process.cwd();
  const top = relative(here, repository) || '.';
  return replacePath(replacePath(text, here, '.'), repository, top);
}

function replacePath(text: string, folder: string, name: string): string {
  if (folder === sep) return text;
  const [first = '', ...parts] = text.split(folder);
  // A folder with a longer name is another one.
  return parts.reduce((shown, part) => shown + (/^[\w.-]*\w/.test(part) ? folder : name) + part, first);
}

/** Cuts the middle: a message is at the beginning, the last output of a tool and the hint at the end. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST) return text;
  const half = LONGEST / 2 - 50;
  const [start, end] = [bytes.subarray(0, half), bytes.subarray(bytes.length - half)].map((part) =>
    part.toString().replace(/^\uFFFD+|(?<!\uFFFD)\uFFFD+$/g, ''),
  );
  return `${start} ... (${bytes.length - 2 * half} bytes omitted) ... ${end}`;
}

function restText(rest: readonly Report[]): string {
  if (rest.length === 0) return '';
  const errors = rest.filter(isError).length;
  const warnings = rest.length - errors;
  const counts = [
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ];
  return `and ${counts.join(' and ')} more\n`;
}

/** Takes what became of the objects, and a function that returns what became of everything that was given. */
type Account = (objects: Evidence, everything: () => Evidence) => void;

interface Verb {
  /** Returns the output; nothing if one of the reports is an error. */
  run: (given: Given, reports: Collector, account: Account) => Output;
  /** It uses the valid part: `generate` reports the errors. */
  lenient: boolean;
}

const verbs: Readonly<Record<string, Verb>> = {
  discover: { run: discover, lenient: true },
  generate: { run: generate, lenient: false },
  parameters: { run: announceFound, lenient: true },
};

export const plugin: Command = {
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
  account?: (evidence: Evidence) => void,
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
  let kept: Report[] = [];
  const output = verb.run(given, reports, (objects, everything) => {
    kept = keptReports(objects);
    account?.(everything());
  });
  if (!verb.lenient) io.stderr(pluginText(reports.all, given.repository));
  if (!verb.lenient && reports.hasErrors) return exitCode.input;
  io.stderr(formatDiagnostics(toDiagnostics(kept)));
  io.stdout(output);
  return exitCode.ok;
}

/** A runner knows one exit code for all errors. */
function refuse(fault: string, io: Io): number {
  io.stderr(pluginText([{ code: 'command-line', message: trusted.argument(fault), path: [] }], process.cwd()));
  return exitCode.input;
}

/** Argo CD prunes what is not printed, and reads JSON lines several times faster than YAML. */
function generate(given: Given, reports: Collector, account: Account): Output {
  checkGiven(given, reports);
  if (reports.hasErrors) return [];
  const { settings, within } = given;
  const options = { exclude: settings.exclude, within };
  const { texts, met } = build(given, reports);
  // After an error nothing is rendered, and the objects that were read still have an outcome.
  const ofReading = reports.hasErrors ? new Collector() : reports;
  const read = readInput(texts, settings, readerWith(options), ofReading);
  const unparsed = [...new Set([...reports, ...ofReading])];
  const objects = flattenObjects(read.objects, ofReading);
  const accountFor = (output: Pick<RenderOutput, 'entries' | 'isDescribed'>): void => {
    const found = renderingEvidence(objects, { ...output, reports: reports.all });
    const { templates = [] } = read;
    account(found, () =>
      withFiles(
        { ...found, documents: readDocuments(read.objects).others },
        { met: met.entries, templates, reports: unparsed },
      ),
    );
  };
  if (ofReading !== reports) {
    accountFor({ entries: [], isDescribed: () => true });
    return [];
  }
  const input = withTraces({ ...read, objects }, () => [given.repository], { within });
  // Argo CD deletes what is not printed.
  reports.addAll(opaqueReports(read.objects, settings.strict));
  const output = renderOverEarlier(input, settings);
  const printed = objectsToPrint(output, { all: true }).objects;
  const all = { entries: output.entries, reports: [...reports, ...output.reports] };
  reports.replaceAll(outputReports(all, printed, settings.allowEmpty));
  accountFor(output);
  return reports.hasErrors ? [] : objectsOutput(printed, 'lines');
}

/** Announces the found objects, before the static parameters of plugin.yaml. */
function announceFound(given: Given): Output {
  const { definitions, instances } = findIn(given);
  const defined = definitions.map((definition) => `${definition.name}: ${groupKind(definition)}`);
  const titles = instances.map(({ object }) => titleOf(object));
  return [toJsonText(foundAnnouncements(defined, titles)), '\n'];
}

/** Returns the parameters of every Application for the UI of Argo CD: the options, with their defaults. */
export const optionAnnouncements = (): ValueMap[] =>
  Object.entries(pluginOptions).map(([name, option]) => announce(name, option));

export function foundAnnouncements(definitions: readonly string[], instances: readonly string[]): ValueMap[] {
  const found = (name: string, tooltip: string, items: readonly string[]): ValueMap => ({
    name,
    title: titleOfOption(name),
    tooltip: `${tooltip} Shown only: setting it changes nothing.`,
    collectionType: 'array',
    array: [...items],
  });
  return [
    found(
      FOUND_DEFINITIONS,
      'The ResourceGraphDefinitions that were found, and the kinds that they define.',
      definitions,
    ),
    found(FOUND_INSTANCES, 'The instances that were found.', instances),
  ];
}

/** The keys are those of Argo CD's ParameterAnnouncement. Values are strings, whatever the item type. */
function announce(name: string, option: Option): ValueMap {
  const described = {
    name,
    title: titleOfOption(name),
    tooltip: option.type === 'list' ? option.description : describeOption(option),
    required: false,
    itemType: ITEM_TYPES[option.type],
  };
  return option.type === 'list'
    ? { ...described, collectionType: 'array', array: [...option.default] }
    : { ...described, collectionType: 'string', string: String(option.default) };
}

const ITEM_TYPES: Readonly<Record<Option['type'], string>> = {
  boolean: 'boolean',
  integer: 'number',
  string: 'string',
  choice: 'string',
  list: 'string',
};

/** `onPending` as 'On pending'. */
function titleOfOption(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
