import { Collector } from '../../src/diagnostics/index.ts';
import { toJsonText } from '../../src/emit/json.ts';
import type { KubeObject } from '../../src/model/object.ts';
import { flattenObjects } from '../../src/parse/flatten.ts';
import { readStreams } from '../../src/parse/streams.ts';

/** The objects of YAML documents, lists flattened; what is no object is left out. */
export const readPackageText = (text: string): KubeObject[] =>
  flattenObjects(readStreams([{ file: 'input', text }], new Collector()), new Collector()).map(({ object }) => object);

/** JSON with every integer exact. */
export const jsonText = toJsonText;
