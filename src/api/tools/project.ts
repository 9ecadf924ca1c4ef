import { projectFiles } from '../../authoring/project/index.ts';
import type { TextSource } from '../types.ts';

/**
 * Returns a small new project: an RGD, an instance, a test, a kustomization and a workflow. `file` is a path from the
 * folder of the project, with `/`. Nothing is written.
 */
export const project = (): TextSource[] => [...projectFiles()].map(([file, text]) => ({ file, text }));
