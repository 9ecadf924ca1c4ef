import { isKubeObject } from '../../core/model/object.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import type { InspectedExpression } from '../../languages/cel/index.ts';
import {
  type DocumentTree,
  type ScalarNode,
  scalarTextOf,
  textOffsetAt,
  treeValue,
  valueOffsetAt,
  walkTree,
} from '../../yaml/tree/index.ts';
import { inspectPolicy, isPolicy, policyScope } from '../policies/index.ts';
import type { Checked } from './workspace/check.ts';
import type { SourceFile } from './workspace/file.ts';

/** An expression of an admission policy, which may be incomplete. */
export interface PolicyExpression {
  inspected: InspectedExpression;
  names: NonNullable<ReturnType<typeof policyScope>>;
  source: string;
  textOffset(offset: number): number;
  sourceOffset(offset: number): number;
}

/** Returns the expression of a policy at an offset of the text. */
export function policyExpressionAt(
  file: SourceFile,
  tree: DocumentTree,
  offset: number,
  checked: Checked | undefined,
): PolicyExpression | undefined {
  if (!file.text.slice(tree.start, tree.end).includes('ValidatingAdmissionPolicy')) return undefined;
  const object = treeValue(file.text, tree.root);
  if (!isKubeObject(object) || !isPolicy({ object })) return undefined;
  let found: PolicyExpression | undefined;
  const read = (node: ScalarNode, names: PolicyExpression['names']): void => {
    const written = scalarTextOf(file.text, node);
    const inspected = inspectPolicy(written.value, names);
    if (inspected === undefined) return;
    found = {
      ...{ inspected, names, source: written.value },
      textOffset: (at) => textOffsetAt(written, at),
      sourceOffset: (at) => valueOffsetAt(written, at),
    };
  };
  walkTree(tree.root, (node, path) => {
    if (node.kind !== 'scalar' || offset < node.innerStart || offset > node.innerEnd) return;
    const names = policyScope(object, path, checked?.kinds ?? builtinKinds);
    if (names !== undefined) read(node, names);
  });
  return found;
}
