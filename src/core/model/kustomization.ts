/** The names of a kustomization, in the order in which kustomize looks for them. */
export const KUSTOMIZATION_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/** Reports whether the last name of a path is that of a kustomization. */
export const isKustomizationFile = (path: string): boolean =>
  (KUSTOMIZATION_FILES as readonly string[]).includes(path.slice(path.lastIndexOf('/') + 1));
