import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Collector } from '../../src/core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../../src/core/model/object.ts';
import { isMap, type Path, setKey, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { typeNameOf } from '../../src/kro/compile/fields.ts';
import { readStreams } from '../../src/yaml/parse/yaml.ts';

const root = fileURLToPath(new URL('../conformance', import.meta.url));

/** Returns the packages of all readable conformance cases. */
export function packages(): InputObject[][] {
  const inputs = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('input.yaml'));
  return inputs.sort().flatMap((file) => {
    const reports = new Collector();
    const objects = readStreams([{ file, text: readFileSync(`${root}/${file}`, 'utf8') }], reports) as InputObject[];
    return reports.all.length === 0 ? [objects] : [];
  });
}

/** Replacement values, or edits of a key. */
const replacements = fc.oneof(
  fc.constantFrom<Value>(
    null,
    true,
    false,
    0n,
    -1n,
    2n ** 63n,
    1.5,
    '',
    'text',
    [],
    {},
    [null],
    { a: 'b' },
    '__proto__',
  ),
  fc.constantFrom<Value>(
    '${',
    '${}',
    '${schema}',
    '${schema.spec}',
    '${schema.metadata.name}',
    'a ${schema.metadata.name} b',
    '${1}',
    '${"a" + 1}',
    '${[1, 2][5]}',
    '${{"a": 1}}',
    '${each}',
    '${null}',
    '${1 / 0}',
    '${dyn(schema)}',
    '${optional.none()}',
    '${[dyn(1), "a"]}',
    '${b"bytes"}',
    '${duration("1h")}',
    '${"\\u0000"}',
  ),
  fc.constantFrom<Value>(
    'string',
    '[]string',
    'map[string]integer',
    'integer | default=1',
    'string | pattern="["',
    'A',
  ),
  fc.string({ maxLength: 12 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
);

type Change = 'replace' | 'delete' | 'rename' | 'repeat' | 'copy';
export interface Mutation {
  change: Change;
  /** The index of the value. */
  at: number;
  other: number;
  value: Value;
  /** Replace values only with those of the same type: most mutants then pass the first checks. */
  alike: boolean;
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    change: fc.constantFrom<Change>('replace', 'replace', 'replace', 'delete', 'rename', 'repeat', 'copy'),
    at: fc.noBias(fc.nat(1_000_000)),
    other: fc.noBias(fc.nat(1_000_000)),
    value: replacements,
    alike: fc.constantFrom(true, true, true, true, false),
  }),
  { minLength: 1, maxLength: 2 },
);

/** Returns the package with some values replaced, removed, repeated, or moved to other keys. */
export function mutated(objects: readonly InputObject[], changes: readonly Mutation[]): InputObject[] {
  let value: Value = objects.map(({ object }) => object);
  for (const change of changes) value = apply(structuredClone(value) as Value[], change);
  return (value as Value[]).map((object) => ({ object: object as KubeObject }));
}

function apply(root: Value[], { change, at, other, value, alike }: Mutation): Value[] {
  const all = [...pathsOf(root, [])];
  const fitting = all.filter((path) => typeNameOf(valueAt(root, path)) === typeNameOf(value));
  const paths = alike && change === 'replace' && fitting.length > 0 ? fitting : all;
  const path = paths[at % paths.length];
  if (path === undefined) return root;
  const parent = valueAt(root, path.slice(0, -1)) as Value[] | ValueMap;
  const key = path.at(-1) as string | number;
  const source = paths[other % paths.length] ?? path;
  const written = change === 'copy' ? structuredClone(valueAt(root, source)) : value;
  if (Array.isArray(parent)) {
    const index = key as number;
    if (change === 'delete') parent.splice(index, 1);
    else if (change === 'repeat') parent.push(structuredClone(parent[index] as Value));
    else parent[index] = written;
  } else if (change === 'delete') delete parent[key];
  else if (change === 'rename') renameKey(parent, String(key), typeof value === 'string' ? value : 'renamed');
  else if (change === 'repeat') setKey(parent, `${key}2`, structuredClone(parent[key] as Value));
  else setKey(parent, String(key), written);
  return root;
}

function renameKey(map: ValueMap, from: string, to: string): void {
  const value = map[from] as Value;
  delete map[from];
  setKey(map, to, value);
}

function* pathsOf(value: Value, path: Path): Generator<Path> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index]);
  else if (isMap(value)) for (const key of Object.keys(value)) yield* pathsOf(value[key] as Value, [...path, key]);
}

const valueAt = (value: Value, path: Path): Value =>
  path.reduce<Value>((inner, step) => (inner as ValueMap)[step as string] as Value, value);
