import table from '../../../data/defaults.json';
import { encodeBase64 } from '../../core/encoding/base64.ts';
import { attempt } from '../../core/model/attempt.ts';
import { groupVersionKind, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, isMap, mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { utf8 } from '../../core/text/utf8.ts';
import { builtinKinds, type KindRegistry } from '../../kubernetes/schema/index.ts';
import { conformityOf, createPatternBudget } from '../../kubernetes/validation/index.ts';
import { EvaluationError, parseQuantity } from '../../languages/cel/index.ts';
import { Unknown } from './evaluate.ts';
import { NAMESPACE_NAME } from './match.ts';

/** What an API server writes into a field of one of Kubernetes' own kinds. */
interface Field {
  /** The value of a field that is not set; of an image without a version, or with the version latest, `latest`. */
  '='?: Value;
  latest?: Value;
  /** Only if a field beside it has one of these values: `type=NodePort,LoadBalancer`. */
  when?: string;
  /** Only if no such field is beside it. */
  unless?: string;
  /** Only if no other field than this one is beside it. */
  only?: string;
  /** Adds a word if a list beside it has items. */
  also?: string;
  /** The value of a field beside it. */
  copy?: string;
  /** 1: unknown if it is not set; 2: unknown. */
  '?'?: number;
  /** The type of its value, and of its items. */
  to?: string;
  each?: string;
  /** It is a map of quantities. */
  amounts?: number;
  /** A zero value counts as not set. */
  omit?: number;
}

const types = table.types as unknown as Readonly<Record<string, Readonly<Record<string, Field>>>>;
const kinds = table.kinds as Readonly<Record<string, readonly string[]>>;

/**
 * Returns an object as a policy sees it: with the defaults of its CRD, or of Kubernetes' own kinds those in the table,
 * and with unknown values for what a cluster sets. `isNew` is undefined for a parameter.
 */
export function asStored(
  object: KubeObject,
  isNew: boolean | undefined,
  registry: KindRegistry,
  set: Unknown,
): Record<string, unknown> {
  const gvk = groupVersionKind(object);
  const { group, kind } = gvk;
  const info = registry.find(gvk);
  const isCustom = builtinKinds.find(gvk) === undefined;
  const schema = isCustom ? (info?.written?.() ?? info?.schema) : undefined;
  const { status: _, ...given } = object;
  const applied = kind === 'Secret' && group === '' ? withData(given) : given;
  const known = kinds[group]?.includes(kind) ? types[kind] : undefined;
  const defaulted = (
    schema !== undefined
      ? conformityOf(schema, applied, { custom: true, patterns: createPatternBudget() }).object
      : known === undefined
        ? applied
        : filled(kind === 'Pod' ? withHostPorts(applied) : applied, known, set)
  ) as ValueMap;
  const own = get(defaulted, 'metadata');
  const metadata: Record<string, unknown> = {
    ...(filled(isMap(own) ? own : {}, types.Meta ?? {}, set) as ValueMap),
  };
  if (kind === 'Namespace' && group === '')
    metadata.labels = { ...(metadata.labels as ValueMap | undefined), [NAMESPACE_NAME]: nameOf(object) };
  // Conversion keeps a field of an older version as an annotation.
  if (kind === 'DaemonSet' && group === 'apps')
    metadata.annotations = {
      ...(metadata.annotations as ValueMap | undefined),
      'deprecated.daemonset.template.generation': set,
    };
  for (const field of ['uid', 'creationTimestamp', 'managedFields', 'generation']) metadata[field] = set;
  if (isNew !== true) metadata.resourceVersion = set;
  else if (nameOf(object) === '') metadata.name = set;
  const hasStatus = isNew !== true || (!isCustom && info?.schema.properties?.status !== undefined);
  return { ...defaulted, metadata, ...(hasStatus ? { status: set } : {}) };
}

/** An API server stores stringData as data. */
function withData({ stringData, ...secret }: ValueMap): ValueMap {
  if (!isMap(stringData)) return secret;
  const encoded = mapItems(stringData, (text) => encodeBase64(utf8(String(text))));
  return { ...secret, data: { ...(secret.data as ValueMap | undefined), ...(encoded as ValueMap) } };
}

/** The ports of a pod in the network of its host are ports of the host; a pod in a template has no such default. */
function withHostPorts(pod: ValueMap): ValueMap {
  const spec = get(pod, 'spec');
  if (!isMap(spec) || spec.hostNetwork !== true) return pod;
  const withPorts = (container: Value): Value => {
    const list = get(container, 'ports');
    if (!isMap(container) || !Array.isArray(list)) return container;
    const ports = list.map((port) => (isMap(port) ? { hostPort: port.containerPort ?? 0n, ...port } : port));
    return { ...container, ports };
  };
  const containers = (list: Value, key: string | number): Value =>
    Array.isArray(list) && (key === 'containers' || key === 'initContainers') ? list.map(withPorts) : list;
  return { ...pod, spec: mapItems(spec, containers) };
}

function filled(value: Value, type: Readonly<Record<string, Field>>, set: Unknown): Value {
  if (!isMap(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) if (inner !== null) result[key] = inner;
  for (const [name, field] of Object.entries(type)) {
    if (field.omit === 1 && isZero(result[name] as Value)) delete result[name];
    const isSet = Object.hasOwn(result, name) && result[name] !== '';
    const written = isSet ? result[name] : missingValue(field, result as ValueMap);
    if (field['?'] === 2 || (field['?'] === 1 && !isSet)) result[name] = set;
    else if (written !== undefined) result[name] = within(written as Value, field, set);
  }
  return result as ValueMap;
}

function isZero(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) ? Object.keys(value).length === 0 : value === '' || value === false || value === 0n;
}

function within(value: Value, { to, each, amounts }: Field, set: Unknown): Value {
  if (to !== undefined) return filled(value, types[to] ?? {}, set);
  if (each !== undefined && Array.isArray(value)) return value.map((item) => filled(item, types[each] ?? {}, set));
  if (amounts === undefined || !isMap(value)) return value;
  return mapItems(value, (amount) => canonicalQuantity(String(amount)));
}

/** Returns the default of a field, beside the others. */
function missingValue(
  { '=': value, latest, when, unless, only, also, copy }: Field,
  beside: ValueMap,
): Value | undefined {
  if (copy !== undefined) return beside[copy];
  if (value === undefined) return undefined;
  if (when !== undefined) {
    const [key = '', values = ''] = when.split('=');
    if (!values.split(',').includes(String(beside[key]))) return undefined;
  }
  if (unless !== undefined && beside[unless] !== undefined) return undefined;
  if (only !== undefined && Object.keys(beside).some((key) => key !== only)) return undefined;
  if (latest !== undefined && isLatest(String(beside.image))) return latest;
  const copied = whole(value);
  const [list = '', word = ''] = also?.split('=') ?? [];
  const more = beside[list];
  return Array.isArray(copied) && Array.isArray(more) && more.length > 0 ? [...copied, word] : copied;
}

/** JSON has no integers. */
const whole = (value: Value): Value => (typeof value === 'number' ? BigInt(value) : mapItems(value, whole));

/**
 * Returns an object as it is after an update: defaults of the older version, which nobody wrote, stay (server-side apply
 * removes only what it applied before). Items of lists are matched by name.
 */
export function carried(after: Value, written: Value | undefined, stored: unknown): Value {
  if (Array.isArray(after)) {
    const items = Array.isArray(stored) ? stored : [];
    return after.map((item) => {
      const name = get(item, 'name');
      const at = items.findIndex((one) => name !== undefined && get(one as Value, 'name') === name);
      return at < 0 ? item : carried(item, Array.isArray(written) ? written[at] : undefined, items[at]);
    });
  }
  if (!isMap(after) || !isMap(stored)) return after;
  const result: ValueMap = { ...after };
  for (const [key, value] of Object.entries(stored)) {
    const own = get(written, key);
    if (result[key] !== undefined) result[key] = carried(result[key], own, value);
    else if (own === undefined && !((value as unknown) instanceof Unknown)) result[key] = value;
  }
  return result;
}

/** An image that is not a reference has no version. */
const REFERENCE = /^[a-zA-Z\d](?:[\w.-]*[a-zA-Z\d])?(?::\d+)?(?:\/[a-z\d](?:[a-z\d._-]*[a-z\d])?)*(?::[\w][\w.-]*)?$/;

function isLatest(image: string): boolean {
  const [name = '', digest] = image.split('@');
  if (!REFERENCE.test(name)) return false;
  const tag = /:([^/:]*)$/.exec(name)?.[1];
  return tag === 'latest' || (tag === undefined && digest === undefined);
}

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Returns a quantity as an API server writes it: `1000m` is `1`. */
function canonicalQuantity(text: string): string {
  const amount = attempt(() => parseQuantity(text), EvaluationError);
  if (amount === undefined) return text;
  const { unscaled, scale } = amount;
  if (unscaled === 0n) return '0';
  if (/[eE][+-]?\d+$/.test(text)) return text;
  const nanos = scale >= -9 ? unscaled * 10n ** BigInt(9 + scale) : unscaled / 10n ** BigInt(-9 - scale);
  const units = nanos / 1_000_000_000n;
  if (text.endsWith('i') && (units >= 1024n || units <= -1024n)) return suffixed(units, 1024n, BINARY, 0);
  return suffixed(nanos, 1000n, DECIMAL, 0);
}

function suffixed(amount: bigint, base: bigint, suffixes: readonly string[], at: number): string {
  return amount % base === 0n && at < suffixes.length - 1
    ? suffixed(amount / base, base, suffixes, at + 1)
    : `${amount}${suffixes[at]}`;
}
