import data from '../../../data/kro-crd.json';
import type { KubeObject } from '../../core/model/object.ts';
import { getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { pluralize, type Schema } from '../../kubernetes/schema/index.ts';

interface CrdInput {
  group: string;
  version: string;
  kind: string;
  /** Derived from the kind by default. */
  plural?: string | undefined;
  scope: 'Namespaced' | 'Cluster';
  /** The values of the fields of this name in `spec.schema`, as written. */
  shortNames?: Value | undefined;
  categories?: Value | undefined;
  additionalPrinterColumns?: Value | undefined;
  /** Those of `spec.schema.metadata`. */
  labels?: Value | undefined;
  annotations?: Value | undefined;
  spec: Schema;
  /** The inferred schema of the status; without it the status only has kro's fields. */
  status?: Schema | undefined;
}

/** Returns the CustomResourceDefinition that kro creates for an RGD (kro: pkg/graph/crd, SynthesizeCRD). */
export function toCrd(input: CrdInput): KubeObject {
  const singular = input.kind.toLowerCase();
  const plural = input.plural ?? pluralize(singular);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${input.group}`,
      ...unlessEmpty('labels', input.labels),
      ...unlessEmpty('annotations', input.annotations),
    },
    spec: {
      group: input.group,
      names: {
        kind: input.kind,
        listKind: `${input.kind}List`,
        plural,
        singular,
        ...unlessEmpty('shortNames', input.shortNames),
        ...unlessEmpty('categories', input.categories),
      },
      scope: input.scope,
      versions: [
        {
          name: input.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: asValue(rootSchema(input)) },
          subresources: { status: {} },
          additionalPrinterColumns: printerColumns(input.additionalPrinterColumns),
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
function rootSchema({ spec, status }: CrdInput): Schema {
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

function unlessEmpty(key: string, value: Value | undefined): ValueMap {
  const size = Array.isArray(value) ? value.length : isMap(value) ? Object.keys(value).length : 0;
  return size === 0 || value === undefined ? {} : { [key]: value };
}
