import type { RenderInput, RenderOptions, TextSource } from '../../src/api/index.ts';
import { toPlain } from '../../src/api/plain.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import type { Package, Role } from './protocol.ts';

const YAML = /\.(ya?ml|json)$/i;

/** Returns the files of a role as sources of the library. Files that are not YAML are ignored, as in the command. */
const sourcesOf = ({ files }: Package, role: Role): TextSource[] =>
  files.filter((file) => file.role === role && YAML.test(file.name)).map(({ name, text }) => ({ file: name, text }));

/** Returns the package as input of the library. */
export function inputOf(pack: Package): RenderInput {
  const [inputs] = sourcesOf(pack, 'inputs');
  return {
    objects: sourcesOf(pack, 'objects'),
    definitions: sourcesOf(pack, 'definitions'),
    observed: sourcesOf(pack, 'observed'),
    ...(inputs === undefined ? {} : { inputsFrom: listIn(inputs) }),
  };
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

function listIn(source: TextSource): readonly JsonValue[] {
  const value = valueIn(source);
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
