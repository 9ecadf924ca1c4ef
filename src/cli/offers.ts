import { isAbsolute, join } from 'node:path';
import planSchema from '../../data/plan.schema.json';
import { DIALECT, rgdJsonSchema } from '../authoring/jsonschema/index.ts';
import {
  aboutSets,
  documentPackage,
  type Offered,
  samplePackage,
  schemaOfPackage,
  schemasOfPackage,
} from '../authoring/offers/index.ts';
import { INJECTED, inject } from '../authoring/reference/index.ts';
import { composeText, hasErrors, nothingFound, trusted, unplaced } from '../core/diagnostics/index.ts';
import type { Value, ValueMap } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { flag, functionConfigSchema, text } from '../render/options/index.ts';
import { crdsOf } from '../render/pipeline.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { defineCommand, forDefinitions, type Invocation } from './command.ts';
import { conclude, concludePartly, fail, refuse } from './conclude.ts';
import { type Gathered, gather } from './gather.ts';
import { objectFormat, objectsOutput, printedAs } from './output.ts';
import { decode, readRegularText, unreadable } from './regular-file.ts';
import { replaceFile, replaceFiles } from './write/index.ts';

/** The commands about what RGDs offer. */

/** Prints the output for a package: a broken RGD does not affect the others. Returns the exit code. */
function concludeOffer<Offer>(
  invocation: Invocation,
  { reports }: Gathered,
  { offer, fault, reports: found }: Offered<Offer>,
  write: (offer: Offer) => string,
): number {
  const all = [...reports, ...found];
  if (fault !== undefined && !hasErrors(all)) return fail('not-found', fault, invocation);
  return concludePartly(invocation, all, () => (offer === undefined ? [] : [write(offer)]));
}

const jsonText = (value: Value): string => visible(`${toJsonText(value, 2)}\n`);

export const instance = defineCommand({
  group: 'Author',
  usage: 'KIND PATH... [options]',
  summary: 'Print an instance to start from, with a comment on every field.',
  examples: [['instance WebApp platform/ >shop.yaml', 'Starts a new instance.']],
  firstWord: 'kinds',
  own: {
    output: printedAs(['yaml']),
    minimal: flag('Write only the fields that an instance needs.'),
    full: flag('Write out every field.'),
    editWith: text('SCHEMA', 'Begin with a modeline that names this JSON Schema (file or URL) to editors.'),
  },
  ...forDefinitions,
  needs: [2, 'KIND and a PATH; - reads standard input'],
  run: async (invocation) => {
    const { editWith, minimal, full } = invocation.settings;
    const [kind = '', ...paths] = invocation.paths;
    const gathered = await gather({ ...invocation, paths });
    const extent = minimal ? 'minimal' : full ? 'all' : 'commented';
    const offered = samplePackage(gathered.input, kind, invocation.settings, extent);
    const modeline = editWith === '' ? '' : `# yaml-language-server: $schema=${editWith}\n`;
    const { faults = [] } = offered.offer ?? {};
    if (faults.length > 0) {
      const message = composeText`the sample is not valid yet; fill in:\n${trusted.definition(faults.join('\n'))}`;
      gathered.reports.add(unplaced('sample-incomplete', message, undefined, 'warning'));
    }
    return concludeOffer(invocation, gathered, offered, ({ text }) => `${visible(modeline)}${text}`);
  },
});

/** The schemas that no RGD defines. */
const SCHEMAS: Readonly<Record<string, () => Value>> = {
  rgd: () => rgdJsonSchema,
  config: () => functionConfigSchema(DIALECT),
  plan: () => planSchema as ValueMap,
};

export const schema = defineCommand({
  group: 'Author',
  usage: 'KIND PATH... [options] | PATH... --output-dir DIR | rgd | config | plan',
  summary: 'Print the JSON Schema of the instances of a kind, of RGD files, of the functionConfig, or of plan -o json.',
  examples: [
    ['schema WebApp platform/ >webapp.schema.json', 'Checks instances in an editor.'],
    ['schema rgd >rgd.schema.json', 'Checks RGDs in an editor.'],
    [
      'schema platform/ --output-dir .schemas >.vscode/settings.json',
      'Writes the schemas of all kinds, and prints the settings that point editors at them.',
    ],
  ],
  words: Object.keys(SCHEMAS),
  firstWord: 'kinds',
  own: {
    output: printedAs(['json']),
    outputDir: text('DIR', 'Write the schemas of all kinds into this folder, and print settings for editors.'),
  },
  ...forDefinitions,
  needs: [0, ''],
  run: async (invocation) => {
    const [kind, ...paths] = invocation.paths;
    const known = paths.length === 0 && kind !== undefined && Object.hasOwn(SCHEMAS, kind) ? SCHEMAS[kind] : undefined;
    if (known !== undefined) return conclude(invocation, [], () => [jsonText(known())]);
    const { outputDir } = invocation.settings;
    if (outputDir !== '') return writeAll(invocation, outputDir);
    if (kind === undefined || paths.length === 0) {
      return refuse(
        'schema needs KIND and a PATH, or rgd, or config, or plan, or a PATH and --output-dir DIR',
        invocation,
      );
    }
    const gathered = await gather({ ...invocation, paths });
    const offered = schemaOfPackage(gathered.input, kind, invocation.settings);
    return concludeOffer(invocation, gathered, offered, jsonText);
  },
});

/** Writes the schemas of all kinds. Prints settings for editors with a YAML language server. */
async function writeAll(invocation: Invocation, folder: string): Promise<number> {
  if (invocation.paths.length === 0)
    return refuse('schema --output-dir needs a PATH; - reads standard input', invocation);
  const gathered = await gather(invocation);
  const offered = schemasOfPackage(gathered.input, invocation.settings);
  const changes = [...(offered.offer ?? [])].map(([name, one]) => ({
    file: join(folder, name),
    output: [jsonText(one)],
  }));
  if (changes.length > 0) gathered.reports.addAll(replaceFiles(folder, changes, { below: folder }));
  const file = join(folder, 'all.json').replaceAll('\\', '/');
  const settings = { 'yaml.schemas': { [isAbsolute(file) ? file : `./${file}`]: ['*.yaml', '*.yml'] } };
  return concludeOffer(invocation, gathered, offered, () => jsonText(settings));
}

export const docs = defineCommand({
  group: 'Author',
  usage: 'PATH... [options]',
  summary: 'Print a Markdown reference of what RGDs offer: fields, an example, objects, status, graph.',
  examples: [
    ['docs platform/ >PLATFORM.md', 'Documents a platform.'],
    ['docs platform/ --inject README.md', 'Updates a part of a README.'],
  ],
  own: {
    output: printedAs(['markdown']),
    inject: text('FILE', `Write the page into this file, between ${INJECTED.begin} and ${INJECTED.end}.`),
  },
  ...forDefinitions,
  run: async (invocation) => {
    const { settings } = invocation;
    if (settings.inject !== '') return injectInto(settings.inject, invocation);
    const gathered = await gather(invocation);
    return concludeOffer(invocation, gathered, documentPackage(gathered.input, settings), (page) => page);
  },
});

/** Writes the page between the markers of a file, with headings one level deeper. Prints nothing. */
async function injectInto(file: string, invocation: Invocation): Promise<number> {
  let before: string;
  try {
    before = readRegularText(file);
  } catch (error) {
    return conclude(invocation, [unreadable(file, error)]);
  }
  if (inject(before, '') === undefined) {
    const message = composeText`${trusted.file(file)} has no place for the page: write ${trusted.definition(INJECTED.begin)} and ${trusted.definition(INJECTED.end)} once, each on a line`;
    return fail('unwritable-file', message, invocation);
  }
  const gathered = await gather(invocation);
  const offered = documentPackage(gathered.input, invocation.settings, 2);
  const after = offered.offer === undefined ? undefined : inject(before, offered.offer);
  const expects = (content?: Uint8Array): boolean => content !== undefined && decode(content) === before;
  if (after !== undefined) gathered.reports.addAll(replaceFile(file, [after], { expects }));
  return concludeOffer(invocation, gathered, offered, () => '');
}

export const crd = defineCommand({
  group: 'Render',
  usage: 'PATH... [options]',
  summary: 'Print the CustomResourceDefinitions that the RGDs generate, sorted by name.',
  own: { output: objectFormat },
  ...forDefinitions,
  run: async (invocation) => {
    const { settings } = invocation;
    const { input, reports } = await gather(invocation);
    if (reports.hasErrors) return conclude(invocation, reports.all);
    const generated = crdsOf(input, settings);
    reports.addAll(generated.reports);
    if (generated.crds.length === 0 && !reports.hasErrors)
      reports.add(nothingFound(composeText`there is no RGD${aboutSets(input)}`));
    return conclude(invocation, reports.all, () => objectsOutput(generated.crds, settings.output));
  },
});
