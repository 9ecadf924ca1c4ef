import { hex } from '../digest/hex.ts';
import { sha256 } from '../digest/sha256.ts';
import type { Value, ValueMap } from '../model/value.ts';

/** Which instance and which RGD an object comes from. */
export interface Origin {
  rgd: { name: string; uid: string | undefined };
  instance: { id: string; name: string; namespace: string; group: string; version: string; kind: string };
}

/** The place of an object in a collection. */
export interface Item {
  index: number;
  size: number;
}

export type Labels = Readonly<Record<string, string>>;

const OWN_LABELS: ReadonlySet<string> = new Set([
  'app.kubernetes.io/managed-by',
  'kro.run/owned',
  'kro.run/resource-graph-definition-name',
  'kro.run/resource-graph-definition-id',
  'kro.run/instance-id',
  'kro.run/instance-name',
  'kro.run/instance-namespace',
  'kro.run/instance-group',
  'kro.run/instance-version',
  'kro.run/instance-kind',
  'kro.run/node-id',
  'kro.run/collection-index',
  'kro.run/collection-size',
]);

/** Whether the renderer sets this label itself. */
export const isOwnLabel = (key: string): boolean => OWN_LABELS.has(key);

/** The longest label value that Kubernetes accepts. */
const MAX_VALUE = 63;

/**
 * The labels that every object of an instance carries (kro: pkg/metadata/labels.go; `managed-by` is ours).
 * `shortened` is told each value that did not fit.
 */
export function originLabels(origin: Origin, shortened: (label: string, value: string) => void): Labels {
  const { rgd, instance } = origin;
  const labels: Record<string, string> = {
    'app.kubernetes.io/managed-by': 'render-rgd',
    'kro.run/owned': 'true',
    'kro.run/resource-graph-definition-name': rgd.name,
    'kro.run/instance-id': instance.id,
    'kro.run/instance-name': instance.name,
    'kro.run/instance-group': instance.group,
    'kro.run/instance-version': instance.version,
    'kro.run/instance-kind': instance.kind,
  };
  if (rgd.uid !== undefined) labels['kro.run/resource-graph-definition-id'] = rgd.uid;
  if (instance.namespace !== '') labels['kro.run/instance-namespace'] = instance.namespace;
  for (const label in labels) {
    const value = labels[label] as string;
    if (value.length > MAX_VALUE) labels[label] = labelValue(value, () => shortened(label, value));
  }
  return labels;
}

/** Adds what differs from object to object of one instance. Labels of the author's own come first, and ours win. */
export function nodeLabels(
  origin: Labels,
  node: string,
  item: Item | undefined,
  own?: Readonly<Record<string, Value>>,
): ValueMap {
  const labels: ValueMap = own === undefined ? { ...origin } : { ...own, ...origin };
  labels['kro.run/node-id'] = labelValue(node, () => undefined);
  if (item === undefined) return labels;
  labels['kro.run/collection-index'] = String(item.index);
  labels['kro.run/collection-size'] = String(item.size);
  return labels;
}

/** A value over 63 characters becomes `h-` and the first 40 hex digits of its SHA-256, as kro 0.10 writes it. */
export function labelValue(value: string, shortened: () => void): string {
  if (value.length <= MAX_VALUE) return value;
  shortened();
  return `h-${hex(sha256(new TextEncoder().encode(value))).slice(0, 40)}`;
}
