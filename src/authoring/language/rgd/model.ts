import { getOrCompute } from '../../../core/model/lazily.ts';
import { isKubeObject } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import { isGraph, scopesOfGraph } from '../../../graph/index.ts';
import { type Scopes, scopesOf } from '../../../kro/compile/index.ts';
import type { Definition } from '../../../kro/definition/index.ts';
import { type DocumentTree, treeValue } from '../../../yaml/tree/index.ts';
import type { Checked, CheckSettings } from '../workspace/check.ts';
import { rgdIn, type SourceFile } from '../workspace/file.ts';
import { expressionsOf, type WrittenExpression } from './expressions.ts';
import { looseDefinition } from './loose.ts';

/** An RGD that is being edited, with everything that is known despite errors. */
export interface RgdModel {
  file: SourceFile;
  tree: DocumentTree;
  definition: Definition;
  scopes: Scopes;
  expressions: readonly WrittenExpression[];
}

/** Returns the model of an RGD, or of a Graph, whose expressions are completed and explained too. */
export const expressionModel: typeof rgdModel = (file, tree, checked, settings) =>
  rgdModel(file, tree, checked, settings) ?? graphModel(file, tree, checked, settings.options);

const graphs = new WeakMap<DocumentTree, { checked: Checked; model: RgdModel }>();

function graphModel(
  file: SourceFile,
  tree: DocumentTree,
  checked: Checked | undefined,
  options: CheckSettings['options'],
): RgdModel | undefined {
  const before = graphs.get(tree);
  if (checked === undefined || (before !== undefined && before.checked === checked)) return before?.model;
  if (!/\bkind["']?: *["']?Graph\b/.test(file.text.slice(tree.start, tree.end))) return undefined;
  const object = treeValue(file.text, tree.root);
  if (!isKubeObject(object) || !isGraph(object)) return undefined;
  const { definition, scopes } = scopesOfGraph({ object }, { kinds: checked.kinds, options });
  const expressions = expressionsOf(file.text, tree.root, (path) => placeInGraph(path, definition));
  const model = { file, tree, definition, scopes, expressions };
  graphs.set(tree, { checked, model });
  return model;
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

interface Known {
  tree: DocumentTree;
  checked: Checked | undefined;
  model: RgdModel | undefined;
}

/** The last model of each document. Older ones are released, because they retain the state of their package. */
const known = new WeakMap<CheckSettings, Map<string, Known>>();

/** Returns the model of a document; `undefined` if it is not an RGD. `checked` is the state of its package. */
export function rgdModel(
  file: SourceFile,
  tree: DocumentTree,
  checked: Checked | undefined,
  settings: CheckSettings,
): RgdModel | undefined {
  const models = getOrCompute(known, settings, () => new Map<string, Known>());
  const key = `${file.uri}#${tree.index}`;
  const before = models.get(key);
  if (before?.tree === tree && before.checked === checked) return before.model;
  const value = checked && rgdIn(file.text, tree);
  const definition = value && looseDefinition(value);
  const model = definition && {
    ...{ file, tree, definition, expressions: expressionsOf(file.text, tree.root) },
    scopes: scopesOf(definition, { kinds: checked.kinds, options: settings.options }),
  };
  models.set(key, { tree, checked, model });
  return model;
}
