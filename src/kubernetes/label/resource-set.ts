import { RESOURCE_SET_LABEL } from '../../core/model/keys.ts';

const { name: NAME, namespace: NAMESPACE } = RESOURCE_SET_LABEL;

export const ownerLabels = (name: string, namespace: string): Readonly<Record<string, string>> => ({
  [NAME]: name,
  [NAMESPACE]: namespace,
});

/** Returns the ResourceSet that labels name, `undefined` without one. */
export function ownerOf(labels: Readonly<Record<string, unknown>>): { name: string; namespace: string } | undefined {
  const { [NAME]: name, [NAMESPACE]: namespace } = labels;
  return typeof name === 'string' && typeof namespace === 'string' ? { name, namespace } : undefined;
}
