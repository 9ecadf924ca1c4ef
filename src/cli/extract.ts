import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import descriptions from '../../data/kubernetes-descriptions.json';
import {
  type Answers,
  type Copy,
  extract as extractCopies,
  extractText,
  filesOf,
  readAnswers,
  streamOf,
} from '../author/extract/index.ts';
import { Collector, composeText, counted, told, trusted, unplaced } from '../core/diagnostics/index.ts';
import { addTo } from '../core/model/group-by.ts';
import { KUSTOMIZATION_FILES } from '../core/model/kustomization.ts';
import { type Allowance, allowance, spend } from '../core/model/limits.ts';
import { type InputObject, namespaceOf } from '../core/model/object.ts';
import { getAt, type Value } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { readAdditionalInputs } from '../describe/input/index.ts';
import { entriesOf } from '../kubernetes/kustomization/index.ts';
import { definitionOptions, flag, list, reportingOptions, text } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { flattenObjects, readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { linkStatOf, readRegularText, unreadable, withinAny } from './file-system.ts';
import { type ReadOptions, readerWith, readFiles } from './files.ts';
import { conclude, fail, objectsOutput, printedAs, refuse } from './output.ts';
import { runTool } from './tool.ts';
import { replaceFiles } from './write/index.ts';

const pair = { each: { pattern: /^[^=]+=[^=]+$/, expected: 'OLD=NEW' } };

const extractOptions = {
  kind: text('KIND', 'The kind of the instances, such as WebApp.', {
    form: { pattern: /^([A-Z][a-zA-Z0-9]{0,62})?$/, expected: 'a kind such as WebApp' },
  }),
  group: text('GROUP', 'The API group of the kind; platform.example.com by default.', {
    form: { pattern: /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/, expected: 'an API group such as platform.example.com' },
  }),
  version: text('VERSION', 'The version of the kind; v1alpha1 by default.', {
    form: { pattern: /^(v[0-9]+(alpha[0-9]+|beta[0-9]+)?)?$/, expected: 'a version such as v1alpha1' },
  }),
  each: list('DIR', 'Take every folder and every file in this folder as a copy.'),
  by: text('namespace|label=KEY', 'Cut the objects into copies by their namespace, or by the value of a label.', {
    form: { pattern: /^(namespace|label=.+)?$/, expected: 'namespace or label=KEY' },
  }),
  without: list('KIND', 'Leave out the objects of this kind, such as Secret: they are not part of an instance.'),
  together: flag('Make one RGD of copies that have little in common.'),
  rename: list('OLD=NEW', 'Give a field another name.', pair),
  keep: list('FIELD', 'Leave a field of a node as it is, such as deployment.spec.replicas.'),
  same: list('A=B', 'Make one field of two.', pair),
  answers: text('FILE', 'Read rename, keep and same from this file.'),
  dryRun: flag('Print the report only, and write nothing.'),
  outputDir: text('DIR', 'Write the RGD, the instances and a golden test to this folder, and print the report.'),
  allowExec: flag('Run kustomize for a folder whose kustomization does more than list files.'),
  output: printedAs(['yaml', 'json'], 'The format of the objects; with --dry-run, json is the report for programs.'),
};

type Extracting = Invocation<typeof extractOptions>;

export const extract = defineCommand({
  own: extractOptions,
  shared: { ...definitionOptions, ...reportingOptions },
  run: runExtract,
});

async function runExtract(invocation: Extracting): Promise<number> {
  const { settings, paths } = invocation;
  const { kind, group, version, without, together, dryRun, outputDir } = settings;
  if (kind === '') return refuse('extract needs --kind KIND, the kind of the instances, such as WebApp', invocation);
  if (paths.length + settings.each.length === 0) {
    return refuse('extract needs a PATH for each copy, --each DIR, or - for standard input', invocation);
  }
  const reports = new Collector();
  const stdin = paths.includes('-') ? await invocation.io.stdin() : undefined;
  const readOptions: ReadOptions = { exclude: settings.exclude, stdin, missing: 'error' };
  const copies = copiesOf(invocation, readOptions, reports);
  const beside = readAdditionalInputs(
    { ...settings, observed: [], inputsFrom: '', defaults: '' },
    readerWith(readOptions),
    reports,
  );
  const answers = answersOf(settings, reports);
  if (reports.hasErrors) return conclude(invocation, reports.all);
  const target = { kind, group: group || 'platform.example.com', version: version || 'v1alpha1' };
  const input = { copies, beside, descriptions: descriptions.text };
  const { extracted, reports: found } = extractCopies(input, { ...target, without, together, answers });
  reports.addAll(found);
  if (extracted === undefined) return conclude(invocation, reports.all);
  const { rgd, instances, report } = extracted;
  if (dryRun) {
    const json = [`${toJsonText(report as unknown as Value, 2)}\n`];
    return conclude(invocation, reports.all, () => (settings.output === 'json' ? json : [extractText(report)]));
  }
  if (outputDir === '') {
    return conclude(invocation, reports.all, () =>
      settings.output === 'json' ? objectsOutput([rgd, ...instances], 'json') : [streamOf(extracted)],
    );
  }
  const files = [...filesOf(extracted)].map(([path, content]) => ({ file: join(outputDir, path), output: [content] }));
  const taken = files.find(({ file }) => linkStatOf(file) !== undefined);
  if (taken !== undefined) {
    const message = told`${{ file: trusted.file(taken.file) }} already exists, and is not overwritten`;
    return fail('unwritable-file', message, invocation);
  }
  const faults = replaceFiles(outputDir, files, { expects: (content) => content === undefined });
  if (faults.length > 0) return conclude(invocation, [...reports.all, ...faults]);
  const written = files.map(({ file }) => `  ${file}\n`);
  return conclude(invocation, reports.all, () => [extractText(report), visible(['\nWritten:\n', ...written].join(''))]);
}

/** Returns the answers of the file and of the options, which are stronger. */
function answersOf({ answers, rename, keep, same }: Extracting['settings'], reports: Collector): Answers {
  const ofFile = answers === '' ? undefined : documentOf(answers, reports);
  const known = readAnswers(ofFile, reports);
  const pairs = (texts: readonly string[]): string[][] => texts.map((one) => one.split('='));
  const renamed = pairs(rename).map(([from = '', to = '']) => [from, to] as const);
  return {
    rename: { ...known.rename, ...Object.fromEntries(renamed) },
    keep: [...known.keep, ...keep],
    same: [...known.same, ...pairs(same)],
  };
}

function documentOf(file: string, reports: Collector): Value | undefined {
  try {
    return readStreams([{ file, text: readRegularText(file) }], reports)[0]?.object;
  } catch (error) {
    reports.add(unreadable(file, error));
    return undefined;
  }
}

/** Reads the copies: one for each path, or those into which all objects are cut. */
function copiesOf({ paths, settings }: Extracting, readOptions: ReadOptions, reports: Collector): Copy[] {
  const all = [...paths, ...settings.each.flatMap((folder) => entriesIn(folder, reports))];
  const kustomizations = allowance(MOST_KUSTOMIZATIONS);
  const copies = all.map((path): Copy => {
    const name = path === '-' ? 'stdin' : basename(resolve(path)).replace(/\.(ya?ml|json)$/, '');
    return { name, objects: objectsAt(path, { settings, readOptions, reports, kustomizations }) };
  });
  if (settings.by === '') return distinctNames(copies, all);
  const objects = copies.flatMap((copy) => copy.objects);
  return cut(objects, settings.by, reports);
}

/** Folders of the same name, such as overlays of several applications, are named by what is above them too. */
function distinctNames(copies: readonly Copy[], paths: readonly string[]): Copy[] {
  const names = copies.map(({ name }) => name);
  return copies.map((copy, index) => {
    if (names.indexOf(copy.name) === names.lastIndexOf(copy.name)) return copy;
    return { ...copy, name: `${basename(dirname(resolve(paths[index] ?? '')))}-${copy.name}` };
  });
}

function entriesIn(folder: string, reports: Collector): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter(
      (entry) => !entry.name.startsWith('.') && (entry.isDirectory() || /\.(ya?ml|json)$/.test(entry.name)),
    );
    return names.map(({ name }) => join(folder, name)).sort();
  } catch (error) {
    reports.add(unreadable(folder, error));
    return [];
  }
}

/** Cuts objects into copies by their namespace or a label; objects without it are an error. */
function cut(objects: readonly InputObject[], by: string, reports: Collector): Copy[] {
  const key = by.replace(/^label=/, '');
  const groups = new Map<string, InputObject[]>();
  let others = 0;
  for (const input of objects) {
    const value = by === 'namespace' ? namespaceOf(input.object) : getAt(input.object, ['metadata', 'labels', key]);
    if (typeof value === 'string' && value !== '') addTo(groups, value, input);
    else others += 1;
  }
  if (others > 0) {
    const what = counted(others, 'object');
    const message = composeText`in no copy: ${what} without ${by === 'namespace' ? composeText`a namespace` : composeText`the label ${trusted.argument(key)}`}`;
    reports.add(
      unplaced(
        'extract-object',
        message,
        composeText`leave them out of the input, or cut it by something that all objects have`,
      ),
    );
  }
  return [...groups].map(([name, own]) => ({ name, objects: own }));
}

interface Reading {
  settings: Extracting['settings'];
  readOptions: ReadOptions;
  reports: Collector;
  /** How many kustomizations may still be read, each as often as it is listed. */
  kustomizations: Allowance;
}

function objectsAt(path: string, reading: Reading, level = 0): InputObject[] {
  const { reports, readOptions } = reading;
  const kustomization =
    path === '-'
      ? undefined
      : KUSTOMIZATION_FILES.map((name) => join(path, name)).find((file) => linkStatOf(file)?.isFile());
  if (kustomization !== undefined) return kustomized(path, kustomization, reading, level);
  const texts = readFiles([path], readOptions, reports);
  return flattenObjects(readStreams(texts, reports), reports);
}

/** The fields of a kustomization that only lists files. */
const LISTING: readonly string[] = ['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'sortOptions'];
const MOST_LEVELS = 32;
/** Kustomizations that each list the next two would be read very often. */
const MOST_KUSTOMIZATIONS = 10_000;

/** Reads what a kustomization lists; kustomize builds one that does more. */
function kustomized(folder: string, file: string, reading: Reading, level: number): InputObject[] {
  const { reports, settings } = reading;
  const document = documentOf(file, reports);
  const entries = entriesOf(document);
  const more = Object.keys(entries?.value ?? {}).find((key) => !LISTING.includes(key));
  const isRemote = entries?.listed.some((entry) => linkStatOf(join(folder, entry)) === undefined) === true;
  if (
    entries !== undefined &&
    more === undefined &&
    !isRemote &&
    level < MOST_LEVELS &&
    spend(reading.kustomizations, 1)
  ) {
    return entries.listed.flatMap((entry) => objectsAt(join(folder, entry), reading, level + 1));
  }
  if (!settings.allowExec) {
    const why = more === undefined ? composeText`an entry that is not here` : composeText`${trusted.argument(more)}`;
    const message = composeText`only kustomize builds ${trusted.file(folder)}: its kustomization has ${why}`;
    reports.add(
      unplaced(
        'build-not-asked',
        message,
        composeText`--allow-exec runs kustomize; or pass what kustomize build prints`,
      ),
    );
    return [];
  }
  const repository = resolve(folder, '../..');
  const build = {
    folder: resolve(folder),
    args: ['build'],
    repository,
    within: withinAny([repository]),
    remote: false,
    variables: process.env,
  };
  const text = runTool('kustomize', build, reports);
  return text === undefined
    ? []
    : flattenObjects(readStreams([{ file: `${folder} (kustomize build)`, text }], reports), reports);
}
