import { crds, type KubernetesObject, render, validate } from '../../../src/api/index.ts';
import { type ExtractResult, extract } from '../../../src/api/tools/index.ts';
import type { Draw } from '../../differential/draw.ts';

/** Packages with RGDs: rendered for several instances, extracted from the objects alone, and rendered again. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

/** What became of a package. */
export interface RoundTrip {
  outcome: 'equal' | 'differs' | 'refused' | 'invalid' | 'nothing to extract';
  /** Whether the copies have so little in common that only --together makes one RGD of them. */
  together?: boolean;
  /** Why it was refused, or what differs. */
  reasons: string[];
  /** Whether the last copy is an instance of what the others give; absent with fewer than four copies. */
  leftOne?: boolean;
  /** The fields and conditions that were found, and those of the original RGD. */
  found: number;
  original: number;
  result?: ExtractResult;
  /** The CRDs of the kinds. */
  definitions?: KubernetesObject[];
  /** The objects that were given. */
  attempt?: KubernetesObject[];
}

/** The definitions of a package, and instances of one of its kinds. */
interface Original {
  definitions: KubernetesObject[];
  instances: KubernetesObject[];
  observed: KubernetesObject[];
}

const OWN_LABELS = /^(kro\.run\/|app\.kubernetes\.io\/managed-by$)/;

/** Returns an object without labels of renderers, and without empty maps in metadata. */
function plain(object: KubernetesObject): Json {
  const { metadata, ...rest } = object as unknown as { metadata: JsonMap };
  const labels = Object.entries((metadata.labels ?? {}) as JsonMap).filter(([key]) => !OWN_LABELS.test(key));
  const annotations = Object.entries((metadata.annotations ?? {}) as JsonMap);
  const { labels: _, annotations: __, ...own } = metadata;
  const kept: JsonMap = { ...own };
  if (labels.length > 0) kept.labels = Object.fromEntries(labels);
  if (annotations.length > 0) kept.annotations = Object.fromEntries(annotations);
  return sorted({ ...(rest as JsonMap), metadata: kept });
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  );
}

/** Writes JSON with integers of any size. */
const jsonText = (value: Json): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));

const textsOf = (objects: readonly KubernetesObject[]): string[] => objects.map((one) => jsonText(plain(one))).sort();

/** Renders instances on their own; those with errors, or without objects, have none. */
function renderedCopies({ definitions, instances, observed }: Original): KubernetesObject[][] {
  return instances.map((instance) => {
    const { objects, diagnostics } = render(
      { objects: [instance], definitions, observed },
      { onPending: 'skip', clusterScoped: [] },
    );
    return diagnostics.some(({ severity }) => severity === 'error')
      ? []
      : objects.map((one) => plain(one) as unknown as KubernetesObject);
  });
}

/** Reports whether the objects of the instances are valid, as an API server would see them. */
function isValid({ definitions, instances, observed }: Original): boolean {
  const { diagnostics } = validate(
    { objects: [...definitions, ...instances], observed },
    { onPending: 'skip', clusterScoped: [] },
  );
  return diagnostics.every(({ severity }) => severity !== 'error');
}

/** Extracts copies, and renders what was written. */
export function roundTrip(original: Original): RoundTrip {
  const definitions = original.definitions.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const all = renderedCopies(original);
  const copies = all.filter((objects) => objects.length > 0);
  const nothing: RoundTrip = { outcome: 'nothing to extract', reasons: [], found: 0, original: 0 };
  if (copies.length < 2) return nothing;
  const secrets = copies.some((objects) =>
    objects.some(({ kind, apiVersion }) => kind === 'Secret' && apiVersion === 'v1'),
  );
  // CRDs describe kinds, and are not part of an instance.
  const without = [...(secrets ? ['Secret'] : []), 'CustomResourceDefinition'];
  const expected = copies.map((objects) => objects.filter(({ kind }) => !without.includes(kind)));
  const isExtractable = (objects: readonly KubernetesObject[]): boolean =>
    objects.some(({ kind }) => kind !== 'CustomResourceDefinition');
  if (!expected.every(isExtractable)) return nothing;
  let together = false;
  const extracting = (some: readonly KubernetesObject[][]): ExtractResult =>
    extract(
      { copies: some.map((objects, at) => ({ name: `copy-${at}`, objects })), definitions },
      { kind: 'Extracted', without, together },
    );
  let result = extracting(copies);
  if (result.diagnostics.some(({ code }) => code === 'extract-groups')) {
    together = true;
    result = extracting(copies);
  }
  const { rgd, instances, report } = result;
  if (rgd === undefined || report === undefined) {
    const reasons = result.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => `${code}: ${message}`);
    const outcome = isValid(original) ? 'refused' : 'invalid';
    return { ...nothing, outcome, reasons, together, attempt: copies.flat() };
  }
  const reasons: string[] = [];
  for (const [at, instance] of instances.entries()) {
    const { objects, diagnostics } = render({ objects: [instance], definitions: [rgd, ...definitions] });
    for (const { severity, code, message } of diagnostics)
      if (severity === 'error') reasons.push(`${code}: ${message}`);
    if (JSON.stringify(textsOf(objects)) !== JSON.stringify(textsOf(expected[at] ?? [])))
      reasons.push(`copy ${at} differs`);
  }
  const trip: RoundTrip = {
    outcome: reasons.length === 0 ? 'equal' : 'differs',
    reasons,
    found: report.fields.length + report.conditions.length,
    original: sizeOfOriginal(original),
    together,
    result,
    definitions,
  };
  if (copies.length > 3) trip.leftOne = templatesOf(extracting(copies.slice(0, -1))) === templatesOf(result);
  return trip;
}

/** Returns the templates without the names that were chosen: fields in the order of their use. */
function templatesOf({ rgd }: ExtractResult): string {
  const resources = (rgd as unknown as { spec: { resources: Json } } | undefined)?.spec.resources ?? null;
  const names = new Map<string, string>();
  return jsonText(resources).replace(/schema\.(?:spec\.\??|metadata\.)(\w+)/g, (_, name: string) => {
    if (!names.has(name)) names.set(name, `f${names.size}`);
    return `schema.${names.get(name)}`;
  });
}

/** Counts the fields of the kind of the instances, and the conditions of its RGD. */
function sizeOfOriginal({ definitions, instances }: Original): number {
  const kind = instances[0]?.kind;
  const rgd = definitions.find((one) => one.kind === 'ResourceGraphDefinition' && schemaOf(one).kind === kind);
  if (rgd === undefined) return 0;
  const fields = (value: Json): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, inner) => sum + fields(inner), 0)
      : 1;
  const text = jsonText((rgd as unknown as { spec: { resources: Json } }).spec.resources);
  const conditions = text.match(/"includeWhen"|\? *optional|\?\\"/g)?.length ?? 0;
  return fields(schemaOf(rgd).spec ?? {}) + conditions;
}

const schemaOf = (rgd: KubernetesObject): { kind?: string; group?: string; spec?: Json } =>
  (rgd as unknown as { spec?: { schema?: { kind?: string; spec?: Json } } }).spec?.schema ?? {};

/** Returns the kind that an RGD defines. */
export const kindOfRgd = (rgd: KubernetesObject | undefined): string =>
  rgd === undefined ? '' : (schemaOf(rgd).kind ?? '');

/** Returns instances of the kind of one: other names, and other values of its fields. */
export function instancesLike(
  one: KubernetesObject,
  definitions: KubernetesObject[],
  draw: Draw,
  count: number,
): KubernetesObject[] {
  const schema = instanceSchema(one, definitions);
  const found: KubernetesObject[] = [];
  for (let tries = 0; found.length < count && tries < count * 8; tries += 1) {
    const name = `${draw.pick(WORDS)}-${draw.pick(WORDS)}`;
    if (found.some(({ metadata }) => metadata.name === name)) continue;
    // Values that a rule of the RGD refuses: fewer are changed.
    const percent = tries < count * 4 ? 70 : 25;
    const spec = varied((one as unknown as { spec?: Json }).spec ?? {}, schema, draw, percent);
    const instance = { ...one, metadata: { ...one.metadata, name }, spec } as unknown as KubernetesObject;
    const { objects, diagnostics } = render({ objects: [instance], definitions }, { onPending: 'skip' });
    if (objects.length > 0 && diagnostics.every(({ severity }) => severity !== 'error')) found.push(instance);
  }
  return found;
}

const WORDS = [
  'shop',
  'blog',
  'docs',
  'red',
  'blue',
  'north',
  'south',
  'team',
  'alpha',
  'beta',
  'prod',
  'store',
  'kiosk',
];

/** The schema of the spec, from the CRD that the RGD generates. */
function instanceSchema(one: KubernetesObject, definitions: KubernetesObject[]): JsonMap {
  const { objects } = crds({ objects: definitions });
  const crd = objects.find(
    (each) => (each as unknown as { spec: { names: { kind: string } } }).spec.names.kind === one.kind,
  );
  const version = (crd as unknown as { spec?: { versions?: { schema: { openAPIV3Schema: JsonMap } }[] } })?.spec
    ?.versions?.[0];
  const properties = version?.schema.openAPIV3Schema.properties as { spec?: JsonMap } | undefined;
  return properties?.spec ?? {};
}

/** Returns a value with other values in it; fields that the schema has and the value lacks are added. */
function varied(value: Json, schema: JsonMap, draw: Draw, percent: number): Json {
  const choices = schema.enum as Json[] | undefined;
  const isChanged = draw.chance(percent);
  if (choices !== undefined) return isChanged ? draw.pick(choices) : value;
  if (schema.pattern !== undefined || schema['x-kubernetes-validations'] !== undefined) return value;
  if (typeof value === 'boolean') return isChanged ? draw.chance(50) : value;
  if (typeof value === 'number') {
    if (!isChanged) return value;
    const low = typeof schema.minimum === 'number' ? schema.minimum : 1;
    return Math.min(low + draw.int(0, 8), typeof schema.maximum === 'number' ? schema.maximum : low + 8);
  }
  if (typeof value === 'string') return isChanged ? changedText(value, draw) : value;
  if (Array.isArray(value)) {
    const items = (schema.items ?? {}) as JsonMap;
    const [first] = value;
    if (first === undefined || !isChanged) return value.map((item) => varied(item, items, draw, percent));
    return draw.times(1, 3, (at) => distinct(varied(value[at % value.length] as Json, items, draw, 100), at));
  }
  if (value === null) return value;
  const properties = (schema.properties ?? {}) as Record<string, JsonMap>;
  const values = schema.additionalProperties as JsonMap | undefined;
  const result: JsonMap = {};
  const required = (schema.required ?? []) as string[];
  for (const [key, inner] of Object.entries(value)) {
    if (!required.includes(key) && draw.chance(8)) continue;
    result[key] = varied(inner, properties[key] ?? values ?? {}, draw, percent);
  }
  for (const [key, inner] of Object.entries(properties)) {
    if (Object.hasOwn(value, key) || inner.default === undefined || !draw.chance(40)) continue;
    result[key] = varied(inner.default, inner, draw, percent);
  }
  return result;
}

/** A number stays one, and a word stays a word that may be a name. */
function changedText(text: string, draw: Draw): string {
  if (/^\d+$/.test(text)) return String(Number(text) + draw.int(1, 9));
  if (/^\d/.test(text) || /[^a-z0-9-]/i.test(text)) return text.replace(/[a-z]{3,}/, draw.pick(WORDS));
  return draw.chance(50) ? draw.pick(WORDS) : `${draw.pick(WORDS)}-${draw.int(1, 99)}`;
}

function distinct(value: Json, at: number): Json {
  if (typeof value === 'string') return `${value}${at}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return typeof value.name === 'string' ? { ...value, name: `${value.name}${at}` } : value;
}
