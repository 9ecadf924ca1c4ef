import { parentOf } from '../../core/text/paths.ts';
import { FUNCTION_CONFIG } from '../../render/options/index.ts';
import { type ScalarNode, scalarTextOf, treeValue } from '../../yaml/tree/index.ts';
import { joined } from '../workspace/definition-overrides.ts';
import type { SourceFile } from '../workspace/file.ts';
import { fieldOf } from './complete-settings.ts';
import { collect } from './context.ts';
import { settingsKind } from './settings-files.ts';

/** A path that a file names. */
export interface NamedPath {
  written: string;
  /** The URI of the file or folder. */
  target: string;
  node: ScalarNode;
}

/** Reports whether a file may name others: a kustomization, a golden test, a render-rgd.yaml or a functionConfig. */
export const namesPaths = ({ uri, text }: Pick<SourceFile, 'uri' | 'text'>): boolean =>
  settingsKind(uri) !== undefined || text.includes(FUNCTION_CONFIG.kind);

/** Returns the paths that a kustomization, a golden test, a render-rgd.yaml or a functionConfig names. */
export function pathsNamedIn(file: SourceFile): NamedPath[] {
  if (!namesPaths(file)) return [];
  return file.trees.flatMap(({ root }) => {
    const value = treeValue(file.text, root);
    return collect(root, (node, path): NamedPath[] => {
      if (node.kind !== 'scalar' || fieldOf(file.uri, path, value)?.isPath !== true) return [];
      const { value: written } = scalarTextOf(file.text, node);
      return [{ written, node, target: joined(parentOf(file.uri), written.replaceAll(' ', '%20')) }];
    });
  });
}
