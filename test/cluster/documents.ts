import { Collector } from '../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../src/core/model/object.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { flattenObjects } from '../../src/yaml/parse/flatten.ts';
import { readStreams } from '../../src/yaml/parse/yaml.ts';

/** Returns the objects of YAML documents, with lists flattened; other documents are omitted. */
export const readPackageText = (text: string): KubeObject[] =>
  flattenObjects(readStreams([{ file: 'input', text }], new Collector()), new Collector()).map(({ object }) => object);

/** Returns JSON with every integer exact. */
export const jsonText = toJsonText;
