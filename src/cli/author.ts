import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatText, patchText } from '../author/format/index.ts';
import { projectFiles } from '../author/project/index.ts';
import { Collector, composeText, hasErrors, type Report, trusted, unplaced } from '../core/diagnostics/index.ts';
import type { Value } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { parseAddress } from '../describe/address/index.ts';
import {
  explainPackage,
  explanationText,
  parseFieldPath,
  type Question,
  type WrittenPath,
} from '../describe/explain/index.ts';
import { drawPackage, graphWriters } from '../describe/graph/index.ts';
import type { FoundText } from '../describe/input/index.ts';
import { choice, definitionOptions, flag, integer, list, reportingOptions, text } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forPackages, type Invocation, plainReporting } from './command.ts';
import {
  decode,
  ifPossible,
  isInside,
  linkStatOf,
  readRegularFile,
  readRegularText,
  unreadable,
} from './file-system.ts';
import { gather, readFiles } from './files.ts';
import { conclude, concludePartly, fail, painter, printedAs, refuse } from './output.ts';
import { INSIDE, isUsed, removeLeftovers, replaceFile, replaceFiles } from './write/index.ts';

const NEEDS = 'KIND/NAME and a PATH; - reads standard input';
const explainOptions = {
  output: printedAs(['text', 'json']),
  eval: text('EXPRESSION', 'Evaluate this CEL expression as a node of the instance would, and show each of its parts.'),
};

export const explain = defineCommand({
  firstWord: 'instances',
  own: explainOptions,
  ...forPackages,
  needs: [1, NEEDS],
  run: answer,
});

async function answer(invocation: Invocation<typeof explainOptions>): Promise<number> {
  const { settings } = invocation;
  const [address = '', ...rest] = invocation.paths;
  if (parseAddress(address) === undefined) {
    return refuse(`explain: '${address}' is not of the form KIND/NAME or KIND/NAMESPACE/NAME`, invocation);
  }
  const part = settings.eval === '' ? askedPart(address, rest) : undefined;
  const paths = part === undefined ? rest : rest.slice(1);
  if (paths.length === 0) return refuse(`explain needs ${NEEDS}`, invocation);
  if (part !== undefined && 'fault' in part) return refuse(`explain: ${part.fault}`, invocation);
  const { input, reports } = await gather({ ...invocation, paths });
  if (reports.hasErrors) return conclude(invocation, reports.all);
  const question: Question =
    settings.eval === '' ? { object: address, ...part } : { object: address, expression: settings.eval };
  const { explanation, fault, reports: found } = explainPackage(input, question, settings);
  if (fault !== undefined) return fail('not-found', fault, invocation);
  if (explanation === undefined) return conclude(invocation, [...reports, ...found]);
  return conclude(invocation, reports.all, () =>
    settings.output === 'json'
      ? [visible(`${toJsonText(explanation.details as object as Value, 2)}\n`)]
      : [explanationText(explanation, painter(invocation))],
  );
}

/** Returns the node or the field that the second word names; `undefined` if it is a path. */
function askedPart(
  address: string,
  rest: readonly string[],
): { node: string } | { field: WrittenPath } | { fault: string } | undefined {
  const [word = ''] = rest;
  if (parseAddress(address)?.kind === 'Graph' && isNestedNode(rest)) return { node: word };
  if (!isField(rest)) return isNode(rest) ? { node: word } : undefined;
  const field = parseFieldPath(word);
  const examples = '.spec.ports[0].name or .metadata.labels["a.b/c"]';
  return field === undefined ? { fault: `'${word}' is not a field; write ${examples}` } : { field };
}

/** A second word is a node if a path follows; one with a dot or a slash is a path. */
const isNode = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 && /^[a-z][A-Za-z0-9]*$/.test(first);
/** A node of a nested graph has the ids around it: `outer.inner`. */
const isNestedNode = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 &&
  /^(?!(?:apiVersion|kind|metadata|spec|status)\b)[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)+$/.test(first) &&
  !existsSync(first);
/** `./folder`, `../folder` and a last word that exists are paths; a field without a leading dot has a nested one. */
function isField([first = '', ...rest]: readonly string[]): boolean {
  if (first === '.' || /^\.(?![./])/.test(first)) return rest.length > 0 || !existsSync(first);
  return parseFieldPath(first) !== undefined && rest.length > 0 && !existsSync(first);
}

export const graph = defineCommand({
  own: {
    output: printedAs(['mermaid', 'dot', 'svg']),
    direction: choice(
      ['auto', 'LR', 'TB', 'RL', 'BT'],
      'Where arrows lead: from left to right, from top to bottom, or the other way. auto is LR, or TB where --width asks.',
    ),
    edgeLabels: flag('Write the fields that are read on the arrows; without it SVG and DOT have them as tooltips.'),
    width: integer(
      'PIXELS',
      'Make an SVG at most so wide, such as 830 for a README: from top to bottom if need be, and scaled down. 0: any width.',
      { default: 0, minimum: 0 },
    ),
    rgd: list('NAME', 'Show only the RGD with this name.', { completes: 'rgds' }),
    instance: text('KIND/NAME', 'Color the nodes by their state in this instance: included, skipped, pending.', {
      completes: 'instances',
    }),
  },
  ...forPackages,
  run: async (invocation) => {
    const { settings } = invocation;
    const { rgd: rgds, instance } = settings;
    if (instance !== '' && rgds.length > 0) return refuse('graph takes --instance or --rgd', invocation);
    const { input, reports } = await gather(invocation);
    if (instance !== '' && reports.hasErrors) return conclude(invocation, reports.all);
    const drawn = drawPackage(input, settings, { rgds, instance });
    const all = [...reports, ...drawn.reports];
    if (drawn.fault !== undefined && !hasErrors(all)) return fail('not-found', drawn.fault, invocation);
    // A broken RGD does not affect the pictures of the others.
    if (drawn.pictures.length === 0 || (instance !== '' && hasErrors(all))) return conclude(invocation, all);
    const { direction: wanted, edgeLabels, width } = settings;
    const direction = wanted === 'auto' ? undefined : wanted;
    const options = { direction, edgeLabels, ...(width !== 0 && { width }) };
    return concludePartly(invocation, all, () => [visible(graphWriters[settings.output](drawn.pictures, options))]);
  },
});

const fmtOptions = {
  check: flag('Report files that are not formatted as errors, and change none.'),
  diff: flag('Print what would change, as a patch, and change nothing.'),
};

export const fmt = defineCommand({
  own: fmtOptions,
  shared: { exclude: definitionOptions.exclude, ...reportingOptions },
  needs: [1, 'a PATH; - formats standard input'],
  run: format,
});

async function format(invocation: Invocation<typeof fmtOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const { exclude, check, diff } = settings;
  const reports = new Collector();
  const stdin = paths.includes('-') ? await io.stdin() : undefined;
  const texts = readFiles(paths, { exclude, stdin, missing: 'error' }, reports);
  /** Returns the folder of the command line in which a file was found. */
  const folderOf = (file: string, place: FoundText['found']): string | undefined =>
    place === undefined ? undefined : paths.find((path) => isInside(resolve(file), resolve(path)));
  const output = texts.flatMap(({ file, text, found: place }) => {
    const isPipe = file === '-';
    const formatted = place === 'chart' ? { text, invalid: [] } : formatText(text);
    // The errors of documents that are not formatted.
    const found = new Collector();
    if (formatted.invalid.length > 0) readStreams([{ file, text }], found);
    reports.addAll(found.all.filter(({ source }) => source && formatted.invalid.includes(source.document)));
    const isChanged = formatted.text !== text;
    if (isChanged && check) {
      const message = composeText`${isPipe ? 'standard input' : trusted.file(file)} is not formatted`;
      reports.add(unplaced('not-formatted', message, composeText`render-rgd fmt ${trusted.file(file)}`));
    }
    if (diff) return isChanged ? [visible(patchText(file, text, formatted.text))] : [];
    if (check) return [];
    if (isPipe) return [formatted.text];
    if (!isChanged) return [];
    const faults = replace({ file, before: text, after: formatted.text, within: folderOf(file, place) });
    reports.addAll(faults);
    return faults.length > 0 ? [] : [visible(`${file}\n`)];
  });
  const written = check || diff ? [] : texts.filter(({ file }) => file !== '-');
  removeLeftovers(written.map(({ file, found: place }) => ({ file, within: folderOf(file, place) })));
  return concludePartly(invocation, reports.all, () => output);
}

interface Formatted {
  file: string;
  before: string;
  after: string;
  /** The folder in which the file was found. */
  within: string | undefined;
}

/** Writes a file, if it still has the text that was read. A byte order mark stays. Returns the error. */
function replace({ file, before, after, within }: Formatted): Report[] {
  let mark: string;
  try {
    mark = readRegularFile(file).toString('utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
  } catch (error) {
    return [unreadable(file, error)];
  }
  const expects = (content?: Uint8Array): boolean => content !== undefined && decode(content) === before;
  return replaceFile(file, [mark, after], { expects, within });
}

const initOptions = {
  vendor: flag('Copy the command into the project, instead of a workflow that downloads a release.'),
};

export const init = defineCommand({
  own: initOptions,
  shared: plainReporting,
  needs: [1, 'one DIR', 1],
  run: writeProject,
});

function writeProject(invocation: Invocation<typeof initOptions>): number {
  const [folder = ''] = invocation.paths;
  const program = invocation.settings.vendor ? ownProgram(process.argv[1]) : undefined;
  if (invocation.settings.vendor && program === undefined) {
    return refuse('--vendor needs a render-rgd that is one file for Node: this is another build', invocation);
  }
  const files = [...projectFiles(program)].map(([path, text]) => ({ path: join(folder, path), text }));
  const isSame = (file: string, text: string): boolean =>
    linkStatOf(file)?.isFile() === true && ifPossible(() => readRegularText(file)) === text;
  const present = files.filter(({ path }) => linkStatOf(path) !== undefined);
  // A run that was killed left some of the files.
  const isComplete = present.length === files.length && !isUsed(join(folder, INSIDE));
  const taken = isComplete ? present[0] : present.find(({ path, text }) => !isSame(path, text));
  if (taken !== undefined) {
    const message = composeText`${trusted.file(taken.path)} already exists, and is not overwritten`;
    return fail('unwritable-file', message, invocation);
  }
  const changes = files.map(({ path, text }) => ({ file: path, output: [text] }));
  const faults = replaceFiles(folder, changes, { expects: (content) => content === undefined });
  if (faults.length > 0) return conclude(invocation, faults);
  const lines = [
    ...files.map(({ path }) => `  ${path}\n`),
    '\nTry:\n',
    ...['validate', 'render', 'test'].map((command) => `  render-rgd ${command} ${folder}\n`),
  ];
  return conclude(invocation, [], () => [visible(lines.join(''))]);
}

/** Returns the command itself, if it is the single file that Node runs; an executable is too large for a repository. */
export function ownProgram(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const text = ifPossible(() => readFileSync(realpathSync(path), 'utf8')) ?? '';
  const isProgram = /^#!\/usr\/bin\/env node\n/.test(text) && text.includes('render-rgd') && text.length > 100_000;
  return isProgram ? text : undefined;
}
