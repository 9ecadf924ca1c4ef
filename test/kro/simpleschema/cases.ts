import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, type ScalarTag } from 'yaml';
import { parseJson } from '../../../src/core/encoding/json.ts';
import { isKubeObject, type KubeObject } from '../../../src/core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { toCrd, toOpenApi } from '../../../src/kro/simpleschema/index.ts';

const root = join(import.meta.dirname, '../../conformance');

/** Returns every conformance case that has all of the files. */
export function casesWith(...files: string[]): string[] {
  const areas = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return areas
    .flatMap(({ name }) => readdirSync(join(root, name)).map((one) => `${name}/${one}`))
    .filter((one) => files.every((file) => existsSync(join(root, one, file))))
    .sort();
}

/** Kubernetes reads these as YAML 1.1 does. */
const yaml11Boolean: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(yes|no|on|off)$/i,
  resolve: (text: string) => /^(yes|on)$/i.test(text),
};

export function objectsOf(name: string): KubeObject[] {
  const text = readFileSync(join(root, name, 'input.yaml'), 'utf8');
  const documents = parseAllDocuments(text, { intAsBigInt: true, customTags: [yaml11Boolean] });
  return documents.map((document) => document.toJS() as Value).filter(isKubeObject);
}

export function jsonOf(name: string, file: string): Value {
  return parseJson(readFileSync(join(root, name, file), 'utf8'));
}

export const isRgd = (object: KubeObject): boolean => object.kind === 'ResourceGraphDefinition';

export function schemaOf(rgd: KubeObject): ValueMap {
  const schema = get(get(rgd, 'spec'), 'schema');
  return isMap(schema) ? schema : {};
}

const textOf = (value: Value | undefined, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** Returns the CRD of an RGD without its status. */
export function crdOf(rgd: KubeObject): KubeObject {
  const schema = schemaOf(rgd);
  const { schema: spec } = toOpenApi({ spec: schema.spec, types: schema.types });
  const named = {
    group: textOf(schema.group, 'kro.run'),
    version: textOf(schema.apiVersion, ''),
    kind: textOf(schema.kind, ''),
    plural: undefined,
    namespaced: schema.scope !== 'Cluster',
    schema,
  };
  return toCrd(named, spec);
}

/** Normalizes numbers as JSON compares them: 100 and 1e2 are equal. */
export function asJson(value: Value): Value {
  if (Array.isArray(value)) return value.map(asJson);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asJson(one)]));
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
