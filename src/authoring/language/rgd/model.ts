import { getOrCompute } from '../../../core/model/lazily.ts';
import { isKubeObject } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import { isGraph, scopesOfGraph } from '../../../graph/index.ts';
import { type Scopes, scopesOf } from '../../../kro/compile/index.ts';
import type { Definition } from '../../../kro/definition/index.ts';
import { type DocumentTree, treeValue } from '../../../yaml/tree/index.ts';
import type { Checked } from '../workspace/check.ts';
import { rgdIn, type SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { expressionsOf, type WrittenExpression } from './expressions.ts';
import { looseDefinition } from './loose.ts';

/** An RGD or a Graph that is being edited, with everything that is known despite errors. */
export interface Model {
  file: SourceFile;
  tree: DocumentTree;
  definition: Definition;
  scopes: Scopes;
  expressions: readonly WrittenExpression[];
}

interface Known {
  tree: DocumentTree;
  checked: Checked | undefined;
  model: Model | undefined;
}

/** The last model of each document. Older ones are released, because they retain the state of their package. */
const known = new WeakMap<Workspace, Map<string, Known>>();

/** Returns the model of a document of a package; `undefined` if it is neither an RGD nor a Graph. */
export function modelOf(file: SourceFile, tree: DocumentTree, workspace: Workspace): Model | undefined {
  const models = getOrCompute(known, workspace, () => new Map<string, Known>());
  const key = `${file.uri}#${tree.index}`;
  const checked = workspace.known(file.uri);
  const before = models.get(key);
  if (before?.tree === tree && before.checked === checked) return before.model;
  const model = checked && createModel(file, tree, { kinds: checked.kinds, options: workspace.settings.options });
  models.set(key, { tree, checked, model });
  return model;
}

function createModel(file: SourceFile, tree: DocumentTree, context: Parameters<typeof scopesOf>[1]): Model | undefined {
  const { text } = file;
  const rgd = rgdIn(text, tree);
  if (rgd !== undefined) {
    const definition = looseDefinition(rgd);
    const expressions = expressionsOf(text, tree.root);
    return { file, tree, definition, scopes: scopesOf(definition, context), expressions };
  }
  if (!/\bkind["']?: *["']?Graph\b/.test(text.slice(tree.start, tree.end))) return undefined;
  const object = treeValue(text, tree.root);
  if (!isKubeObject(object) || !isGraph(object)) return undefined;
  const { definition, scopes } = scopesOfGraph({ object }, context);
  const expressions = expressionsOf(text, tree.root, (path) => placeInGraph(path, definition));
  return { file, tree, definition, scopes, expressions };
}

/** Returns the innermost node around a path, and the field of it. */
function placeInGraph(path: Path, { nodes }: Definition): Pick<WrittenExpression, 'place' | 'node'> | undefined {
  const around = nodes.filter((node) => node.path.every((step, index) => step === path[index]));
  const [node] = around.sort((a, b) => b.path.length - a.path.length);
  const field = node && path[node.path.length];
  if (node === undefined || field === 'id' || field === 'graph') return undefined;
  const isList = field === 'forEach' || field === 'includeWhen' || field === 'readyWhen';
  return { place: isList ? field : 'template', node: nodes.indexOf(node) };
}
