import words from '../../../data/plural.json';
import type { KubeObject } from '../../core/model/object.ts';
import { getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

/**
 * An English noun. An entry of the table is `singular plural [other plural]`. `=` marks a word that matches as a whole
 * only (the others also end compound words), `>` one whose plural does not mark a plural.
 */
interface Noun {
  singular: string;
  plural: string;
  other: string | undefined;
  whole: boolean;
  oneWay: boolean;
}

const nouns: readonly Noun[] = words.nouns.map((entry) => {
  const [singular = '', plural = '', other] = entry.replace(/^[=>]+/, '').split(' ');
  const marks = /^[=>]*/.exec(entry)?.[0] ?? '';
  return { singular, plural, other, whole: marks.includes('='), oneWay: marks.includes('>') };
});

const pluralOf = new Map(nouns.map(({ singular, plural }) => [singular, plural]));

const plurals = new Set(
  nouns.flatMap(({ plural, other, oneWay }) => (oneWay ? [] : other ? [plural, other] : [plural])),
);

/** Later words come first, then the endings in their order, as `ending plural-ending`: the first match wins. */
const endings: readonly (readonly [string, string])[] = [
  ...nouns
    .filter(({ whole }) => !whole)
    .map(({ singular, plural }) => [singular, plural] as const)
    .reverse(),
  ...words.endings.map((entry) => entry.split(' ') as [string, string]),
];

/**
 * Abbreviations of flect whose ending looks like that of a noun with a rule. It converts them to upper case, where only
 * the ending S has a rule, and then does not find that ending in the lower-case kind: `dns` becomes `dnsDNSes`.
 */
const abbreviations = new Set('aes bss cmos des dns eia ess fcs https ids ips mpls pots ssh tia'.split(' '));

/** Returns the plural of a lower-case kind, as kro computes it (kro: newCRD, flect.Pluralize). */
export function pluralize(kind: string): string {
  const known = pluralOf.get(kind);
  if (known !== undefined) return known;
  if (plurals.has(kind)) return kind;
  if (abbreviations.has(kind)) return kind.endsWith('s') ? `${kind}${kind.toUpperCase()}es` : `${kind}s`;
  for (const [singular, plural] of endings) {
    if (kind.endsWith(plural)) return kind;
    if (kind.endsWith(singular)) return kind.slice(0, kind.length - singular.length) + plural;
  }
  return kind.endsWith('s') ? kind : `${kind}s`;
}

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
        properties: { state: { type: 'string' }, conditions: conditionsSchema, ...status?.properties },
      },
    },
  };
}

const conditionsSchema: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      type: { type: 'string' },
      status: { type: 'string' },
      reason: { type: 'string' },
      message: { type: 'string' },
      lastTransitionTime: { type: 'string' },
      observedGeneration: { type: 'integer' },
    },
  },
};

/** Returns the printer columns; given ones replace kro's (kro: newCRDAdditionalPrinterColumns). */
function printerColumns(given: Value | undefined): Value {
  if (!Array.isArray(given) || given.length === 0) return defaultPrinterColumns;
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

const defaultPrinterColumns: Value = [
  {
    name: 'State',
    description: 'The state of a ResourceGraphDefinition instance',
    type: 'string',
    jsonPath: '.status.state',
  },
  {
    name: 'Ready',
    description: 'Whether a ResourceGraphDefinition instance is ready',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  },
  {
    name: 'Age',
    description: 'Age of the resource',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
  },
];

function unlessEmpty(key: string, value: Value | undefined): ValueMap {
  const size = Array.isArray(value) ? value.length : isMap(value) ? Object.keys(value).length : 0;
  return size === 0 || value === undefined ? {} : { [key]: value };
}
