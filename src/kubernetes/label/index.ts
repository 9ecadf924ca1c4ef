import { hex, sha1, textDigest } from '../../core/digest/hashes.ts';
import { KRO_LABEL, MANAGED_BY, RESOURCE_SET_LABEL } from '../../core/model/keys.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { utf8 } from '../../core/text/utf8.ts';

export { type Group, ownWave } from './lines.ts';
export { annotateOrder, type Ordered, type OrderReporter } from './order.ts';

interface Origin {
  rgd: { name: string; uid: string | undefined };
  instance: { id: string; name: string; namespace: string; group: string; version: string; kind: string };
}

export interface Item {
  index: number;
  size: number;
}

export type Labels = Readonly<Record<string, string>>;

const OWN_LABELS: ReadonlySet<string> = new Set([MANAGED_BY, ...Object.values(KRO_LABEL)]);

export const isOwnLabel = (key: string): boolean => OWN_LABELS.has(key);

const MAX_VALUE = 63;

/**
 * Returns the labels of every object of an instance (kro: pkg/metadata/labels.go; `managed-by` is that of this
 * renderer). `shortened` is called with each value that is too long.
 */
export function originLabels(origin: Origin, shortened: (label: string, value: string) => void): Labels {
  const { rgd, instance } = origin;
  const labels: Record<string, string> = {
    [MANAGED_BY]: 'render-rgd',
    [KRO_LABEL.owned]: 'true',
    [KRO_LABEL.rgdName]: rgd.name,
    [KRO_LABEL.instanceId]: instance.id,
    [KRO_LABEL.instanceName]: instance.name,
    [KRO_LABEL.instanceGroup]: instance.group,
    [KRO_LABEL.instanceVersion]: instance.version,
    [KRO_LABEL.instanceKind]: instance.kind,
  };
  if (rgd.uid !== undefined) labels[KRO_LABEL.rgdId] = rgd.uid;
  if (instance.namespace !== '') labels[KRO_LABEL.instanceNamespace] = instance.namespace;
  for (const label in labels) {
    const value = labels[label] as string;
    if (value.length > MAX_VALUE) labels[label] = labelValue(value, () => shortened(label, value));
  }
  return labels;
}

/** Adds the labels that differ between objects of one instance. Those of the renderer win over those of the author. */
export function nodeLabels(
  origin: Labels,
  node: string,
  item: Item | undefined,
  own?: Readonly<Record<string, Value>>,
): ValueMap {
  const labels: ValueMap = own === undefined ? { ...origin } : { ...own, ...origin };
  // A node of a nested Graph has its own id.
  labels[KRO_LABEL.nodeId] = labelValue(node.slice(node.lastIndexOf('.') + 1), () => undefined);
  if (item === undefined) return labels;
  labels[KRO_LABEL.collectionIndex] = String(item.index);
  labels[KRO_LABEL.collectionSize] = String(item.size);
  return labels;
}

/** Returns a label value; a longer one is `h-` and the first 40 hex digits of its SHA-256, as in kro 0.10. */
export function labelValue(value: string, shortened: () => void): string {
  if (value.length <= MAX_VALUE) return value;
  shortened();
  return `h-${textDigest(value, 40)}`;
}

const { name: NAME, namespace: NAMESPACE } = RESOURCE_SET_LABEL;

export const ownerLabels = (name: string, namespace: string): Readonly<Record<string, string>> => ({
  [NAME]: name,
  [NAMESPACE]: namespace,
});

export function ownerOf(labels: Readonly<Record<string, unknown>>): { name: string; namespace: string } | undefined {
  const { [NAME]: name, [NAMESPACE]: namespace } = labels;
  return typeof name === 'string' && typeof namespace === 'string' ? { name, namespace } : undefined;
}

/** RFC 9562 URL namespace: 6ba7b811-9dad-11d1-80b4-00c04fd430c8. */
const URL_NAMESPACE = Uint8Array.from('6ba7b8119dad11d180b400c04fd430c8'.match(/../g) ?? [], (byte) =>
  Number.parseInt(byte, 16),
);

/** Returns the uid of an instance without one, the same in every run: the UUIDv5 of `GROUP/KIND/NAMESPACE/NAME`. */
export function instanceId(of: { group: string; kind: string; namespace: string; name: string }): string {
  const name = utf8(`${of.group}/${of.kind}/${of.namespace}/${of.name}`);
  const input = new Uint8Array(URL_NAMESPACE.length + name.length);
  input.set(URL_NAMESPACE);
  input.set(name, URL_NAMESPACE.length);
  const bytes = sha1(input).slice(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const text = hex(bytes);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}
