import type { DocumentLink } from 'vscode-languageserver';
import { isKustomizationFile } from '../../../core/model/kustomization.ts';
import type { Path } from '../../../core/model/value.ts';
import { parentOf } from '../../../core/text/paths.ts';
import { FUNCTION_CONFIG } from '../../../render/options/index.ts';
import { scalarTextOf, walkTree } from '../../../yaml/tree/index.ts';
import { joined } from '../workspace/definition-overrides.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';

const IN_KUSTOMIZATION = new Set(['resources', 'bases', 'components', 'transformers', 'generators', 'path', 'crds']);
const IN_TEST = new Set(['input', 'definitions', 'observed', 'openapi', 'inputsFrom', 'defaults']);

/** Returns the files that a kustomization, a golden test or a functionConfig names. */
export function linksOf(file: SourceFile, workspace: Workspace): DocumentLink[] {
  const isConfig = file.text.includes(`kind: ${FUNCTION_CONFIG.kind}`);
  const keys = isKustomizationFile(file.uri) ? IN_KUSTOMIZATION : isConfig || isTest(file) ? IN_TEST : undefined;
  const links: DocumentLink[] = [];
  if (keys === undefined) return links;
  for (const { root } of file.trees) {
    walkTree(root, (node, path) => {
      if (node.kind !== 'scalar' || !keys.has(keyOf(path))) return;
      const { value } = scalarTextOf(file.text, node);
      const target = /^[\w+.-]+:|[\n*]/.test(value)
        ? undefined
        : targetOf(joined(parentOf(file.uri), value), workspace);
      if (target !== undefined) links.push({ range: file.rangeOf(node.innerStart, node.innerEnd), target });
    });
  }
  return links;
}

export const isTest = ({ uri }: SourceFile): boolean => uri.endsWith('/test.yaml');

const keyOf = (path: Path): string => String(path.findLast((step) => typeof step === 'string'));

/** Returns a file, or the kustomization or first file of a folder. */
function targetOf(uri: string, { files }: Workspace): string | undefined {
  if (files.has(uri) || /\.(?:ya?ml|json)$/.test(uri)) return uri;
  const inside = [...files.keys()].filter((one) => one.startsWith(`${uri}/`)).sort();
  return inside.find((one) => isKustomizationFile(one) && parentOf(one) === uri) ?? inside[0];
}
