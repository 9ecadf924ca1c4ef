import type { RenderInput, RenderOptions, TextSource } from '../../src/api/index.ts';
import { readRenderInput } from '../../src/api/package.ts';
import { toPlain } from '../../src/api/plain.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { inputSetsIn } from '../../src/describe/input/sets.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import type { Package, Role } from './protocol.ts';

const YAML = /\.(ya?ml|json)$/i;

/** Returns the files of a role as sources of the library. Files that are not YAML are ignored, as in the command. */
const sourcesOf = ({ files }: Package, role: Role): TextSource[] =>
  files.filter((file) => file.role === role && YAML.test(file.name)).map(({ name, text }) => ({ file: name, text }));

/** Returns the package as input of the library; a file of inputs that is no list is omitted. */
export function inputOf(pack: Package): RenderInput {
  const [inputs] = sourcesOf(pack, 'inputs');
  const value = inputs && readStreams([inputs], new Collector())[0]?.object;
  return {
    ...withoutInputs(pack),
    ...(Array.isArray(value) ? { inputsFrom: toPlain(value) as readonly JsonValue[] } : {}),
  };
}

const withoutInputs = (pack: Package): RenderInput => ({
  objects: sourcesOf(pack, 'objects'),
  definitions: sourcesOf(pack, 'definitions'),
  observed: sourcesOf(pack, 'observed'),
});

/** Reads a package as the command does, which also reports what is wrong with the file of inputs. */
export function readPackage(pack: Package): ReturnType<typeof readRenderInput> {
  const { input, options, reports } = readRenderInput(withoutInputs(pack), optionsOf(pack));
  const [inputs] = sourcesOf(pack, 'inputs');
  if (inputs === undefined) return { input, options, reports };
  const found = new Collector();
  found.addAll(reports);
  const documents = readStreams([inputs], found, options.strict);
  const sets = inputSetsIn(documents, inputs.file, found);
  return { input: { ...input, ...sets }, options, reports: found.all };
}

export const optionsOf = ({ options }: Package): RenderOptions => options;

/** Returns the first YAML document of a text as a value. @throws Error with the first error */
export function valueIn({ file, text }: TextSource): JsonValue | undefined {
  const reports = new Collector();
  const [document] = readStreams([{ file, text }], reports);
  const [fault] = reports.all;
  if (reports.hasErrors && fault !== undefined) throw new Error(`${file}: ${fault.message}`);
  return document === undefined ? undefined : toPlain(document.object);
}
