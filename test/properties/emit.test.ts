import fc from 'fast-check';
import { CORE_SCHEMA, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { toYaml } from '../../src/yaml/emit/yaml.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { LONG, runs } from './runs.ts';
import { objectWith, plain, values } from './values.ts';

const readers: [string, (text: string) => unknown[]][] = [
  ['js-yaml, YAML 1.2', (yaml) => loadAll(yaml, { schema: CORE_SCHEMA })],
  ['js-yaml, YAML 1.1', (yaml) => loadAll(yaml, { schema: YAML11_SCHEMA })],
  ['yaml 1.2', (yaml) => parseAllDocuments(yaml).map((document) => document.toJS({ mapAsMap: true }))],
  [
    'yaml 1.1',
    (yaml) => parseAllDocuments(yaml, { version: '1.1' }).map((document) => document.toJS({ mapAsMap: true })),
  ],
];

describe('every reader reads back the emitted YAML', () => {
  test(
    'the parser of this project, exactly',
    () => {
      fc.assert(
        fc.property(values, (value) => {
          const objects = [objectWith(value), objectWith(value)];
          const { documents, problems } = readStream(toYaml(objects));
          expect(problems).toEqual([]);
          expect(documents.map((document) => document.value)).toEqual(objects);
          expect(readStream(toJsonText(objects)).documents[0]?.value).toEqual(objects);
        }),
        runs(500),
      );
    },
    LONG,
  );

  test.each(readers)(
    '%s',
    (_, read) => {
      fc.assert(
        fc.property(values, (value) => {
          const expected = plain(objectWith(value));
          expect(read(toYaml([objectWith(value), objectWith(value)])).map(plain)).toEqual([expected, expected]);
        }),
        runs(500),
      );
    },
    LONG,
  );

  test(
    'yaml with integers of any size, exactly',
    () => {
      const exact = { version: '1.1', intAsBigInt: true } as const;
      fc.assert(
        fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
          const [document] = parseAllDocuments(toYaml([objectWith(value)]), exact);
          expect(document?.toJS()).toEqual(objectWith(value));
        }),
        runs(300),
      );
    },
    LONG,
  );
});
