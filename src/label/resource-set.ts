/** The labels that say from which ResourceSet of Flux an object comes, as the Flux operator writes them. */
const NAME = 'resourceset.fluxcd.controlplane.io/name';
const NAMESPACE = 'resourceset.fluxcd.controlplane.io/namespace';

export const ownerLabels = (name: string, namespace: string): Readonly<Record<string, string>> => ({
  [NAME]: name,
  [NAMESPACE]: namespace,
});

/** The ResourceSet that labels name, `undefined` when they name none. */
export function ownerOf(labels: Readonly<Record<string, unknown>>): { name: string; namespace: string } | undefined {
  const { [NAME]: name, [NAMESPACE]: namespace } = labels;
  return typeof name === 'string' && typeof namespace === 'string' ? { name, namespace } : undefined;
}
