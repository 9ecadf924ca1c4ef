import { fromPlain } from '../../src/api/plain.ts';
import { readSources } from '../../src/api/sources.ts';
import { isBreaking, type SchemaChange, type Update, updateOf } from '../../src/compare/compat/index.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import type { Path } from '../../src/core/model/value.ts';
import type { Graph } from '../../src/kro/compile/index.ts';
import { kro } from '../../src/kro/front-end.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { compilePackage } from '../../src/render/pipeline.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import type { Count } from '../fidelity/page.ts';
import { type Draw, sample } from './draw.ts';
import { type Oracle, startOracle } from './oracle.ts';
import { COMPARES_ONLY_SCHEMAS } from './published.ts';
import { schemaOf } from './simple-schema.ts';
import type { Json, JsonMap } from './types.ts';

/** Two versions of an RGD. */
export interface GeneratedUpdate {
  before: JsonMap;
  after: JsonMap;
}

/** A change as kro reports it. */
interface KroChange {
  path: string;
  type: string;
  old?: string;
  new?: string;
}

interface UpdateAnswer {
  error?: string;
  breaking?: readonly KroChange[];
  compatible?: readonly KroChange[];
  refusal?: string;
  written: boolean;
}

/** Updates in memory at a time. */
const BATCH = 200;

/** Compares what `compat` and kro's own client say of so many random updates of RGDs. */
export async function compareUpdates(
  judge: readonly string[],
  count: number,
  seed: number,
  version?: string,
): Promise<Count> {
  const isOfSchemas = version !== undefined && COMPARES_ONLY_SCHEMAS.has(version);
  const oracle = startOracle<GeneratedUpdate, UpdateAnswer>(judge);
  let [compared, invalid, onPurpose, open] = [0, 0, 0, 0];
  const seen = new Map<string, number>();
  for (let at = 0; compared < count; at += BATCH) {
    const updates = sample((draw) => updateFrom(draw), BATCH, seed * 1000 + at);
    const answers = await oracle.ask(updates);
    for (const [index, update] of updates.entries()) {
      if (compared === count) break;
      const theirs = answers[index] as UpdateAnswer;
      const ours = updateBetween(update);
      // Whether a version is valid by itself is compared elsewhere.
      if (theirs.error !== undefined || ours === undefined) {
        invalid += 1;
        continue;
      }
      compared += 1;
      for (const { type } of [...(theirs.breaking ?? []), ...(theirs.compatible ?? [])])
        seen.set(type, (seen.get(type) ?? 0) + 1);
      const mine = ourVerdict(isOfSchemas ? ofSchemas(ours) : ours);
      const [here, there] = [mine, theirVerdict(theirs, ours)].map((verdict) => verdict.join('\n    '));
      if (here === there) continue;
      if (dropsNull(update) && here?.replace(/in the CRD$/, 'not in the CRD') === there) {
        onPurpose += 1;
        continue;
      }
      if (await isLeftToChance(oracle, update)) {
        onPurpose += 1;
        continue;
      }
      open += 1;
      console.log(`\n=== compat and kro disagree on an update\n  compat:\n    ${here}\n  kro:\n    ${there}`);
      for (const one of [update.before, update.after]) console.log(`    ${toJsonText(fromPlain(one))}`);
    }
  }
  oracle.close();
  const kinds = [...seen].sort((a, b) => b[1] - a[1]).map(([type, times]) => `${times} ${type}`);
  console.log(`updates: ${compared} compared, ${invalid} with an invalid version; ${kinds.join(', ')}`);
  return { source: `generated updates of RGDs, seed ${seed}`, total: compared, onPurpose, open };
}

/** So many equal answers by chance are rare, if the order of a map decides. */
const ANSWERS = 40;

/** Reports whether the answers of kro vary: kro 0.9.3 writes some lists in a random order. */
async function isLeftToChance(
  oracle: Oracle<GeneratedUpdate, UpdateAnswer>,
  update: GeneratedUpdate,
): Promise<boolean> {
  const answers = await oracle.ask(Array.from({ length: ANSWERS }, () => update));
  const texts = answers.map(({ error, breaking, compatible, refusal, written }) =>
    JSON.stringify([error, breaking, compatible, refusal, written]),
  );
  return new Set(texts).size > 1;
}

/** Reports whether a default has a null in it, which kro's client loses: it writes CRDs with a JSON merge patch. */
const dropsNull = ({ after }: GeneratedUpdate): boolean => /default=[{[].*null/.test(toJsonText(fromPlain(after)));

/** Returns what `compat` says of an update; `undefined` if one of the versions is invalid. */
export function updateBetween(update: GeneratedUpdate): Update | undefined {
  const [old, current] = graphsOf(update);
  return old === undefined || current === undefined ? undefined : updateOf(old, current, '0.9');
}

/** Returns both versions, compiled; `undefined` for one that is invalid. */
export function graphsOf({ before, after }: GeneratedUpdate): [Graph | undefined, Graph | undefined] {
  return [graphOf(before), graphOf(after)];
}

function graphOf(rgd: JsonMap): Graph | undefined {
  const reports = new Collector();
  const objects = readSources([rgd] as never, 'objects', true, reports);
  const { compiled, reports: found } = compilePackage({ objects }, { ...defaultRenderOptions, strict: true });
  const isInvalid = reports.hasErrors || found.some(({ severity = 'error' }) => severity === 'error');
  return isInvalid ? undefined : [...(compiled?.of(kro)?.graphs.values() ?? [])][0];
}

/** Returns an update of which only the changes of the schema are compared. */
function ofSchemas(update: Update): Update {
  const others = update.others.map((other) => ({ ...other, isCompared: false }));
  const isWritten = update.isAlwaysWritten || update.changes.some(({ isCompared }) => isCompared);
  return { ...update, others, isWritten };
}

/** Returns the compared changes, sorted, and what becomes of the update. */
function ourVerdict({ changes, others, isAllowed, isWritten }: Update): string[] {
  const compared = changes.filter(({ isCompared }) => isCompared);
  const isRefused = !isAllowed && compared.some(isBreaking);
  const columns = others.filter(({ change, isCompared }) => isCompared && change === 'printer-columns-changed');
  // The labels and annotations of a CRD are not of its spec, which is compared here.
  const isSame = changes.length === 0 && others.every(({ change }) => change === 'crd-metadata-changed');
  const lines = [
    ...compared.map((change) => `${isBreaking(change) ? 'breaking' : 'compatible'} ${asKro(change)}`),
    ...columns.map(() => 'compatible version.additionalPrinterColumns ADDITIONAL_PRINTER_COLUMNS_CHANGED'),
  ];
  return [...lines.sort(), isRefused ? 'refused' : isSame || isWritten ? 'in the CRD' : 'not in the CRD'];
}

function theirVerdict({ breaking = [], compatible = [], refusal, written }: UpdateAnswer, ours: Update): string[] {
  const lineOf = (kind: string, { path, type, old, new: current }: KroChange): string =>
    `${kind} ${path} ${type}${path.endsWith('.required') ? ` ${old || current}` : ''}`;
  const lines = [
    ...breaking.map((change) => lineOf('breaking', change)),
    ...compatible.filter((change) => !isRewrite(change, ours)).map((change) => lineOf('compatible', change)),
  ];
  return [
    ...lines.sort(),
    refusal !== undefined
      ? `refused ${breaking.length > 0 ? '' : refusal}`.trim()
      : written
        ? 'in the CRD'
        : 'not in the CRD',
  ];
}

/** A default that the API server writes otherwise than kro is none that the author changed. */
function isRewrite({ path, type }: KroChange, { changes, isAlwaysWritten }: Update): boolean {
  if (type !== 'DEFAULT_CHANGED' || !isAlwaysWritten) return false;
  return !changes.some((change) => change.isCompared && asKro(change) === `${path} ${type}`);
}

/** The last part of the path that kro reports, for changes that are not of a whole field. */
const FACETS: Readonly<Record<string, string>> = {
  description: '.description',
  default: '.default',
  type: '.type',
  pattern: '.pattern',
  enum: '.enum',
  minimum: '.minimum',
  maximum: '.maximum',
  'min-length': '.minLength',
  'max-length': '.maxLength',
  'min-items': '.minItems',
  'max-items': '.maxItems',
};

function asKro({ change, path }: SchemaChange): string {
  const name = path.at(-1);
  const type = change.toUpperCase().replaceAll('-', '_');
  if (change === 'required-property-added') return `${pathInKro(path)} PROPERTY_ADDED`;
  if (change.startsWith('required-')) return `${pathInKro(path.slice(0, -1))}.required ${type} ${name}`;
  const facet = FACETS[change.slice(0, change.lastIndexOf('-'))] ?? '';
  return `${pathInKro(path)}${facet} ${type}`;
}

const pathInKro = (path: Path): string =>
  path.map((step) => (step === 'items' ? '.items' : `.properties.${step}`)).join('');

/** Draws an RGD and another version of it. */
export function updateFrom(draw: Draw, kind = 'Site'): GeneratedUpdate {
  const { spec, types } = schemaOf(draw);
  const before: JsonMap = { apiVersion: 'v1', kind, spec, types, ...definitionOf(draw) };
  const after = structuredClone(before);
  draw.times(1, 3, () => changeSomething(draw, after));
  const isAllowed = draw.chance(10);
  return { before: rgdWith(before, false), after: rgdWith(after, isAllowed) };
}

function rgdWith(schema: JsonMap, isAllowed: boolean): JsonMap {
  const annotations: JsonMap = isAllowed ? { 'kro.run/allow-breaking-changes': 'true' } : {};
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'site', uid: 'one', annotations },
    spec: { schema, resources: [] },
  };
}

/** Draws what a CRD has besides its schema. */
function definitionOf(draw: Draw): JsonMap {
  const status: JsonMap = { name: '${schema.metadata.name}' };
  if (draw.chance(30)) status.kind = '${schema.kind}';
  const more: JsonMap = { status };
  if (draw.chance(30)) more.shortNames = ['st'];
  if (draw.chance(20)) more.additionalPrinterColumns = [{ name: 'A', type: 'string', jsonPath: '.spec.a' }];
  return more;
}

function changeSomething(draw: Draw, schema: JsonMap): void {
  const roll = draw.int(1, 100);
  if (roll <= 6) changeDefinition(draw, schema);
  else if (roll <= 12) changeStatus(draw, schema);
  else if (roll <= 24 && Object.keys(schema.types as JsonMap).length > 0) changeFields(draw, schema.types as JsonMap);
  else changeFields(draw, schema.spec as JsonMap);
}

function changeDefinition(draw: Draw, schema: JsonMap): void {
  const key = draw.pick(['shortNames', 'categories', 'metadata', 'additionalPrinterColumns']);
  if (key in schema) {
    delete schema[key];
    return;
  }
  if (key === 'metadata') schema.metadata = { labels: { team: 'web' } };
  else if (key === 'additionalPrinterColumns')
    schema.additionalPrinterColumns = [{ name: 'B', type: 'string', jsonPath: '.spec.b' }];
  else schema[key] = [draw.pick(['one', 'two'])];
}

function changeStatus(draw: Draw, schema: JsonMap): void {
  const status = schema.status as JsonMap;
  const key = draw.pick(['kind', 'size', 'name']);
  if (key in status) delete status[key];
  else status[key] = draw.pick(['${schema.kind}', '${size(schema.kind)}', '${schema.kind == "Site"}']);
}

/** The maps of fields of a schema: itself, and the structs in it. */
function structsIn(fields: JsonMap): JsonMap[] {
  const inner = Object.values(fields).filter((one): one is JsonMap => isStructText(one));
  return [fields, ...inner.flatMap(structsIn)];
}

const isStructText = (value: Json): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changeFields(draw: Draw, fields: JsonMap): void {
  const struct = draw.pick(structsIn(fields));
  const names = Object.keys(struct);
  const roll = draw.int(1, 100);
  if (names.length === 0 || roll <= 12) {
    struct[draw.pick(['added', 'extra', 'owner'])] = draw.pick(NEW_FIELDS);
    return;
  }
  const name = draw.pick(names);
  const text = struct[name];
  if (roll <= 20) delete struct[name];
  else if (roll <= 26) {
    delete struct[name];
    struct[`${name}New`] = text as Json;
  } else if (roll <= 32) moveField(draw, fields, struct, name);
  else if (typeof text === 'string') struct[name] = changedField(draw, text);
}

/** Moves a field to another struct, or to a new one. */
function moveField(draw: Draw, fields: JsonMap, from: JsonMap, name: string): void {
  const value = from[name] as Json;
  delete from[name];
  // A struct does not move into itself.
  const targets = structsIn(fields).filter((struct) => struct !== from);
  const to = targets.length === 0 || draw.chance(20) ? newStruct(from) : draw.pick(targets);
  to[name] = value;
}

function newStruct(fields: JsonMap): JsonMap {
  const struct: JsonMap = {};
  fields.moved = struct;
  return struct;
}

const NEW_FIELDS = [
  'string',
  'integer | default=3',
  'string | required=true',
  '[]string',
  'map[string]integer',
  'object',
];
const TYPES = ['string', 'integer', 'boolean', 'float', '[]string', '[]integer', 'map[string]string', 'object'];

/** Markers of each type, each as narrow and as wide values. */
const MARKERS: Readonly<Record<string, readonly string[]>> = {
  string: [
    'enum="a,b"',
    'enum="a,b,c"',
    'enum="b"',
    'pattern="^[a-z]+$"',
    'pattern="^[a-z0-9]+$"',
    'minLength=1',
    'minLength=2',
    'maxLength=9',
    'maxLength=8',
    'validation="self != \\"x\\""',
    'validation="self != \\"y\\""',
    'immutable=true',
    'default="a"',
    'default="b"',
  ],
  integer: ['enum="1,2"', 'enum="1,2,3"', 'minimum=1', 'minimum=2', 'maximum=9', 'maximum=8', 'default=2', 'default=3'],
  float: ['minimum=0.5', 'minimum=1', 'maximum=9.5', 'maximum=1e21', 'default=2.5'],
  boolean: ['default=true', 'default=false'],
  list: ['minItems=1', 'minItems=2', 'maxItems=9', 'maxItems=8', 'uniqueItems=true', 'listType=set', 'listType=atomic'],
  any: ['required=true', 'required=false', 'description="one"', 'description="two"'],
};

function changedField(draw: Draw, text: string): string {
  const [type = '', markers = ''] = text.split(' | ');
  if (draw.chance(12)) return draw.pick(TYPES);
  const kept = markersIn(markers);
  if (kept.length > 0 && draw.chance(35)) kept.splice(draw.int(0, kept.length - 1), 1);
  if (draw.chance(75)) {
    const kind = type.startsWith('[]') ? 'list' : type;
    const all = [...(MARKERS[kind] ?? []), ...(MARKERS.any ?? [])];
    const others = all.filter((one) => kept.some((marker) => keyOf(marker) === keyOf(one)));
    const marker = draw.pick(others.length > 0 && draw.chance(50) ? others : all);
    const same = kept.findIndex((one) => keyOf(one) === keyOf(marker));
    if (same === -1) kept.push(marker);
    else kept[same] = marker;
  }
  return kept.length === 0 ? type : `${type} | ${kept.join(' ')}`;
}

const keyOf = (marker: string): string => marker.slice(0, marker.indexOf('='));

/** Returns the markers of a field: `key=value`, where a value may be in quotes, braces or brackets. */
const markersIn = (text: string): string[] => text.match(/\w+=(?:"(?:\\.|[^"\\])*"|\{.*\}|\[.*\]|[^\s"]+)/g) ?? [];
