import { baseOf } from '../text/paths.ts';

/** The names of a kustomization, in the order in which kustomize looks for them. */
export const KUSTOMIZATION_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

export const isKustomizationFile = (path: string): boolean =>
  (KUSTOMIZATION_FILES as readonly string[]).includes(baseOf(path));
