import table from '../../../data/defaults.json';
import { encodeBase64 } from '../../core/encoding/base64.ts';
import { attempt } from '../../core/model/attempt.ts';
import { type GroupVersionKind, groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, mapItems, mapOf, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { utf8 } from '../../core/text/utf8.ts';
import { EvaluationError, parseQuantity } from '../../languages/cel/index.ts';

/** What an API server writes into a field of one of Kubernetes' own kinds. */
interface Field {
  /** The value of a field that is not set; of an image without a version, or with the version latest, `latest`. */
  '='?: Value;
  latest?: Value;
  /** 1: the API server always writes it. */
  always?: number;
  /** Only if a field beside it has one of these values: `type=NodePort,LoadBalancer`. */
  when?: string;
  /** Only if no such field is beside it. */
  unless?: string;
  /** Only if no other field than this one is beside it. */
  only?: string;
  /** Adds a word if a list beside it has items. */
  also?: string;
  /** The value of a field beside it; of quantities those that are not set. */
  copy?: string;
  /** 1: unknown if it is not set; 2: unknown. */
  '?'?: number;
  /** The type of its value, and of its items. */
  to?: string;
  each?: string;
  amounts?: number;
  /** A zero value counts as not set. */
  omit?: number;
  /** A pointer in Go, for which an empty text is a value. */
  pointer?: number;
}

const types = table.types as unknown as Readonly<Record<string, Readonly<Record<string, Field>>>>;
const kinds = table.kinds as Readonly<Record<string, readonly string[]>>;

/** Returns what stands for a field that only a cluster knows. */
type Unknown = () => object;

/**
 * Returns an object with the defaults of Kubernetes' own kinds, as far as the table has them. `unknown` returns what
 * replaces a field that only a cluster knows. Without it, for a comparison, they are as written, and equal quantities are equal
 * texts.
 */
export function withDefaults(object: KubeObject, unknown?: Unknown): ValueMap {
  const { group, kind } = groupVersionKind(object);
  const type = ownValue(kinds, group)?.includes(kind) ? ownValue(types, kind) : undefined;
  const { metadata, ...prepared } =
    kind === 'Pod' ? withHostPorts(object) : kind === 'Secret' ? withData(object) : object;
  const body = type === undefined ? prepared : filled(prepared, type, unknown);
  return { ...(body as ValueMap), metadata: filled(mapOf(metadata), types.Meta ?? {}, unknown) };
}

/** Reports whether what an API server writes into a field of the spec depends on no other field. */
export function isFilledAlone({ group, kind }: GroupVersionKind, name: string): boolean {
  const type = ownValue(kinds, group)?.includes(kind) ? ownValue(types, kind) : undefined;
  const field = ownValue(ownValue(types, type?.spec?.to ?? '') ?? {}, name);
  const others = [field?.when, field?.unless, field?.only, field?.also, field?.copy, field?.latest];
  return others.every((other) => other === undefined);
}

function withData({ stringData, ...secret }: ValueMap): ValueMap {
  if (!isMap(stringData)) return secret;
  const encoded = mapItems(stringData, (text) => encodeBase64(utf8(String(text))));
  return { ...secret, data: { ...mapOf(secret.data), ...mapOf(encoded) } };
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

function filled(value: Value, type: Readonly<Record<string, Field>>, unknown: Unknown | undefined): Value {
  if (!isMap(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) if (inner !== null) setKey<unknown>(result, key, inner);
  for (const [name, field] of Object.entries(type)) {
    if (field.omit === 1 && isZero(ownValue(result, name) as Value)) delete result[name];
    const isEmpty = ownValue(result, name) === '' && field.pointer !== 1;
    const isSet = Object.hasOwn(result, name) && !isEmpty && field.always !== 1;
    const written = isSet ? ownValue(result, name) : missingValue(field, result as ValueMap);
    if (unknown !== undefined && (field['?'] === 2 || (field['?'] === 1 && !isSet)))
      setKey<unknown>(result, name, unknown());
    else if (written !== undefined)
      setKey<unknown>(result, name, within(written as Value, field, result as ValueMap, unknown));
  }
  return result as ValueMap;
}

function isZero(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) ? Object.keys(value).length === 0 : value === '' || value === false || value === 0n;
}

function within(value: Value, field: Field, beside: ValueMap, unknown: Unknown | undefined): Value {
  const { to, each, amounts, copy = '' } = field;
  if (to !== undefined) return filled(value, ownValue(types, to) ?? {}, unknown);
  if (each !== undefined && Array.isArray(value))
    return value.map((item) => filled(item, ownValue(types, each) ?? {}, unknown));
  if (amounts === undefined || !isMap(value)) return value;
  const isStored = unknown !== undefined;
  return mapItems({ ...mapOf(ownValue(beside, copy)), ...value }, (amount) =>
    canonicalQuantity(String(amount), isStored),
  );
}

function missingValue(
  { '=': value, latest, when, unless, only, also, copy }: Field,
  beside: ValueMap,
): Value | undefined {
  if (copy !== undefined) return ownValue(beside, copy);
  if (value === undefined) return undefined;
  if (when !== undefined) {
    const [key = '', values = ''] = when.split('=');
    if (!values.split(',').includes(String(ownValue(beside, key)))) return undefined;
  }
  if (unless !== undefined && ownValue(beside, unless) !== undefined) return undefined;
  if (only !== undefined && Object.keys(beside).some((key) => key !== only)) return undefined;
  if (latest !== undefined && isLatest(String(beside.image))) return latest;
  const copied = whole(value);
  const [list = '', word = ''] = also?.split('=') ?? [];
  const more = ownValue(beside, list);
  return Array.isArray(copied) && Array.isArray(more) && more.length > 0 ? [...copied, word] : copied;
}

/** JSON has no integers. */
const whole = (value: Value): Value => (typeof value === 'number' ? BigInt(value) : mapItems(value, whole));

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

/** Returns a quantity as an API server writes it, `1000m` as `1`, or in the form that is the same for equal ones. */
function canonicalQuantity(text: string, keepsForm: boolean): string {
  const amount = attempt(() => parseQuantity(text), EvaluationError);
  if (amount === undefined) return text;
  const { unscaled, scale } = amount;
  if (unscaled === 0n) return '0';
  if (keepsForm && /[eE][+-]?\d+$/.test(text)) return text;
  const nanos = scale >= -9 ? unscaled * 10n ** BigInt(9 + scale) : unscaled / 10n ** BigInt(-9 - scale);
  const units = nanos / 1_000_000_000n;
  if (keepsForm && text.endsWith('i') && (units >= 1024n || units <= -1024n)) return suffixed(units, 1024n, BINARY, 0);
  return suffixed(nanos, 1000n, DECIMAL, 0);
}

function suffixed(amount: bigint, base: bigint, suffixes: readonly string[], at: number): string {
  return amount % base === 0n && at < suffixes.length - 1
    ? suffixed(amount / base, base, suffixes, at + 1)
    : `${amount}${suffixes[at]}`;
}
