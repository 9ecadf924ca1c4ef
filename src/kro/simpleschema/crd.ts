import data from '../../../data/kro-crd.json';
import type { KubeObject } from '../../core/model/object.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { pluralize, type Schema } from '../../kubernetes/schema/index.ts';
import type { Definition } from '../definition/index.ts';

type Named = Pick<Definition, 'schema' | 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>;

/** Returns the CustomResourceDefinition that kro creates for an RGD (kro: pkg/graph/crd, SynthesizeCRD). */
export function toCrd(definition: Named, spec: Schema, status?: Schema): KubeObject {
  const { schema, group, version, kind, namespaced } = definition;
  const singular = kind.toLowerCase();
  const plural = definition.plural ?? pluralize(singular);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...nonEmpty(schema.metadata, ['labels', 'annotations']) },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular, ...nonEmpty(schema, ['shortNames', 'categories']) },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: asValue(rootSchema(spec, status)) },
          subresources: { status: {} },
          additionalPrinterColumns: printerColumns(schema.additionalPrinterColumns),
        },
      ],
    },
  };
}

/** Returns the schema of the only version of a CRD of `toCrd`. */
export function instanceSchema(crd: KubeObject): Schema {
  return getAt(crd, ['spec', 'versions', 0, 'schema', 'openAPIV3Schema']) as Schema;
}

/** Schemas are plain data with the keys of OpenAPI, so they are valid values. */
const asValue = (schema: Schema): Value => schema as unknown as Value;

/** Returns the root schema (kro: newCRDSchema). An author's own status.state or status.conditions is kept. */
function rootSchema(spec: Schema, status: Schema | undefined): Schema {
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status: {
        type: 'object',
        ...status,
        properties: { state: { type: 'string' }, conditions: data.conditions as Schema, ...status?.properties },
      },
    },
  };
}

/** Returns the printer columns; given ones replace kro's (kro: newCRDAdditionalPrinterColumns). */
function printerColumns(given: Value | undefined): Value {
  if (!Array.isArray(given) || given.length === 0) return data.printerColumns;
  return given.map((column) => (isMap(column) ? withoutZeroes(column) : column));
}

/** Removes optional fields with a zero value, which Kubernetes omits from the JSON of a column. */
function withoutZeroes(column: ValueMap): ValueMap {
  const optional = ['format', 'description', 'priority'];
  const remaining = Object.entries(column).filter(
    ([key, value]) => !(optional.includes(key) && (value === '' || value === 0n || value === null)),
  );
  return Object.fromEntries(remaining);
}

/** Returns the fields of a map with a list or a map that is not empty. */
function nonEmpty(map: Value | undefined, keys: readonly string[]): ValueMap {
  const given = keys.flatMap((key): [string, Value][] => {
    const value = get(map, key);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? [[key, value]] : [];
  });
  return Object.fromEntries(given);
}
