import { Document, stringify } from 'yaml';
import { Collector, isError } from '../../src/core/diagnostics/index.ts';
import { flattenObjects } from '../../src/yaml/parse/flatten.ts';
import { readStreams } from '../../src/yaml/parse/yaml.ts';
import type { Draw } from './draw.ts';
import type { GeneratedPackage } from './packages.ts';
import { type JsonMap, toText } from './types.ts';

/** A package as documents of YAML, and what is read of them here. */
export interface TextPackage {
  input: string;
  observedInput: string;
  /** The objects that this renderer reads, or the reason why it reads none. */
  read: GeneratedPackage | Error;
}

/** Returns a package as YAML in a drawn style: block or flow, plain or quoted texts, folded lines, aliases. */
export function asText(draw: Draw, { objects, observed }: GeneratedPackage): TextPackage {
  const style = styleOf(draw);
  const input = objects.map((object) => textOf(draw, object, style)).join('');
  const observedInput = observed.map((object) => textOf(draw, object, style)).join('');
  return { input, observedInput, read: readTexts(input, observedInput) };
}

type Style = ReturnType<typeof styleOf>;

function styleOf(draw: Draw) {
  return {
    collectionStyle: draw.pick(['any', 'any', 'block', 'flow'] as const),
    defaultStringType: draw.pick(['PLAIN', 'PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL'] as const),
    defaultKeyType: 'PLAIN' as const,
    singleQuote: draw.pick([true, false, null]),
    lineWidth: draw.pick([0, 40, 80]),
    indent: draw.pick([2, 4]),
    indentSeq: draw.chance(50),
    version: '1.1' as const,
    aliasDuplicateObjects: draw.chance(50),
  };
}

/** Control characters and line breaks of Unicode, which only an escape makes a character for every reader. */
const SPECIAL = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

const escaped = (json: string): string =>
  json.replace(new RegExp(SPECIAL, 'g'), (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

function textOf(draw: Draw, object: JsonMap, style: Style): string {
  const header = draw.pick(['---\n', '---\n', '--- # drawn\n']);
  // A comment before a document, and a document without content, change nothing.
  const before = draw.chance(10) ? draw.pick(['---\n# nothing\n', '---\n']) : '';
  const document = new Document(object, { version: '1.1', aliasDuplicateObjects: style.aliasDuplicateObjects });
  const text = stringify(document, style);
  // docs/differences.md: YAML of kubectl does not have them as characters.
  return `${before}${header}${SPECIAL.test(text) ? `${escaped(toText(object))}\n` : text}`;
}

function readTexts(input: string, observedInput: string): GeneratedPackage | Error {
  const reports = new Collector();
  const read = (text: string): JsonMap[] => {
    const documents = readStreams([{ file: 'input', text }], reports);
    return flattenObjects(documents, reports).map(({ object }) => object as unknown as JsonMap);
  };
  const found = { objects: read(input), observed: read(observedInput) };
  const error = reports.all.find((one) => isError(one));
  return error === undefined ? found : new Error(`${error.code}: ${error.message}`);
}
