import { isAbsolute, join } from 'node:path';
import compatSchema from '../../data/compat.schema.json';
import ledgerSchema from '../../data/ledger.schema.json';
import planSchema from '../../data/plan.schema.json';
import { checkRoles, roleFor } from '../check/rbac/index.ts';
import { diagnosticsSchema } from '../check/reports/index.ts';
import { composeText, hasErrors, nothingFound, told, trusted, unplaced } from '../core/diagnostics/index.ts';
import { groupVersionKind } from '../core/model/object.ts';
import { listOf, type Value, type ValueMap } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { DIALECT, rgdJsonSchema } from '../describe/jsonschema/index.ts';
import {
  aboutSets,
  documentPackage,
  type Offered,
  samplePackage,
  schemaOfPackage,
  schemasOfPackage,
} from '../describe/offers/index.ts';
import { INJECTED, inject } from '../describe/reference/index.ts';
import { choice, flag, functionConfigSchema, list, text } from '../render/options/index.ts';
import { crdsOf } from '../render/pipeline.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forDefinitions, forPackages, type Invocation } from './command.ts';
import { decode, readRegularText, unreadable } from './file-system.ts';
import { type Gathered, gather, readFiles } from './files.ts';
import { conclude, concludePartly, fail, objectFormat, objectsOutput, refuse } from './output.ts';
import { replaceFile, replaceFiles } from './write/index.ts';

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
  firstWord: 'kinds',
  own: {
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

const SCHEMAS: Readonly<Record<string, () => Value>> = {
  rgd: () => rgdJsonSchema,
  config: () => functionConfigSchema(DIALECT),
  compat: () => compatSchema as object as ValueMap,
  plan: () => planSchema as ValueMap,
  ledger: () => ledgerSchema as object as ValueMap,
  diagnostics: () => diagnosticsSchema(DIALECT),
};

export const schema = defineCommand({
  words: Object.keys(SCHEMAS),
  firstWord: 'kinds',
  own: {
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
        'schema needs KIND and a PATH, or rgd, or config, or compat, or plan, or ledger, or diagnostics, or a PATH and --output-dir DIR',
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
  if (changes.length > 0) gathered.reports.addAll(replaceFiles(folder, changes));
  const file = join(folder, 'all.json').replaceAll('\\', '/');
  const settings = { 'yaml.schemas': { [isAbsolute(file) ? file : `./${file}`]: ['*.yaml', '*.yml'] } };
  return concludeOffer(invocation, gathered, offered, () => jsonText(settings));
}

export const docs = defineCommand({
  own: {
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
    const message = told`${{ file: trusted.file(file) }} has no place for the page: write ${trusted.definition(INJECTED.begin)} and ${trusted.definition(INJECTED.end)} once, each on a line`;
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

export const rbac = defineCommand({
  own: {
    output: objectFormat,
    for: choice(['kro', 'gitops'], 'Who needs the role: kro, or the tool that applies the rendered objects.'),
    name: text('NAME', 'The name of the role.'),
    check: list('PATH', 'Compare with the roles of this path, all of them together, instead of printing one.'),
  },
  ...forPackages,
  run: async (invocation) => {
    const { settings } = invocation;
    const { input, reports, readOptions } = await gather(invocation, { others: settings.check });
    const roles = objectsIn(readStreams(readFiles(settings.check, readOptions, reports), reports)).filter(
      ({ object }) => groupVersionKind(object).group === 'rbac.authorization.k8s.io' && /Role$/.test(object.kind),
    );
    if (reports.hasErrors) return conclude(invocation, reports.all);
    const { role, reports: found } = roleFor(input, settings, settings);
    reports.addAll(found);
    if (listOf(role.rules).length === 0 && !reports.hasErrors)
      reports.add(
        nothingFound(composeText`nothing in the package needs a permission: there is no RGD${aboutSets(input)}`),
      );
    if (settings.check.length === 0)
      return conclude(invocation, reports.all, () => objectsOutput([role], settings.output));
    if (roles.length === 0 && !hasErrors(reports.all)) {
      return fail('not-found', composeText`there is no role in ${trusted.file(settings.check.join(', '))}`, invocation);
    }
    if (!reports.hasErrors) checkRoles(role, roles, reports);
    return conclude(invocation, reports.all);
  },
});
