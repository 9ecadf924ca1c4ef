import { isAbsolute, join } from 'node:path';
import planSchema from '../../data/plan.schema.json';
import { DIALECT, rgdJsonSchema } from '../authoring/jsonschema/index.ts';
import { schemaOfPackage, schemasOfPackage } from '../authoring/offers/index.ts';
import type { ValueMap } from '../core/model/value.ts';
import { functionConfigSchema, text } from '../render/options/index.ts';
import { defineCommand, forDefinitions, type Invocation } from './command.ts';
import { conclude, refuse } from './conclude.ts';
import { gather } from './gather.ts';
import { concludeOffer, jsonText } from './instance.ts';
import { printedAs } from './output.ts';
import { unwritable } from './report.ts';
import { replaceFiles } from './write/index.ts';

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
  words: ['rgd', 'config', 'plan'],
  firstWord: 'kinds',
  own: {
    output: printedAs(['json']),
    outputDir: text('DIR', 'Write the schemas of all kinds into this folder, and print settings for editors.'),
  },
  ...forDefinitions,
  run: async (invocation) => {
    const [kind, ...paths] = invocation.paths;
    if (kind === 'rgd' && paths.length === 0) return conclude(invocation, [], () => [jsonText(rgdJsonSchema)]);
    if (kind === 'config' && paths.length === 0) {
      return conclude(invocation, [], () => [jsonText(functionConfigSchema(DIALECT))]);
    }
    if (kind === 'plan' && paths.length === 0) {
      return conclude(invocation, [], () => [jsonText(planSchema as ValueMap)]);
    }
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
  const fault = changes.length === 0 ? undefined : replaceFiles(folder, changes, { below: folder });
  if (fault !== undefined) gathered.reports.add(unwritable(fault));
  const file = join(folder, 'all.json').replaceAll('\\', '/');
  const settings = { 'yaml.schemas': { [isAbsolute(file) ? file : `./${file}`]: ['*.yaml', '*.yml'] } };
  return concludeOffer(invocation, gathered, offered, () => jsonText(settings));
}
