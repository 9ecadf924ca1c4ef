import { projectFiles } from '../../authoring/project/index.ts';
import type { TextSource } from '../types.ts';

/**
 * A small project to start from: an RGD, an instance, a test, a kustomization and a workflow. `file` is a path from the
 * folder of the project, with `/`. Nothing is written.
 */
export const project = (): TextSource[] => [...projectFiles()].map(([file, text]) => ({ file, text }));
