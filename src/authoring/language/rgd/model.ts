import { type Scopes, scopesOf } from '../../../kro/compile/index.ts';
import type { Definition } from '../../../kro/definition/index.ts';
import type { DocumentTree } from '../../../yaml/tree/index.ts';
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
  const models = known.get(settings) ?? new Map<string, Known>();
  known.set(settings, models);
  const key = `${file.uri}#${tree.index}`;
  const before = models.get(key);
  if (before?.tree === tree && before.checked === checked) return before.model;
  const model = readModel(file, tree, checked, settings.options);
  models.set(key, { tree, checked, model });
  return model;
}

function readModel(
  file: SourceFile,
  tree: DocumentTree,
  checked: Checked | undefined,
  options: CheckSettings['options'],
): RgdModel | undefined {
  const value = rgdIn(file.text, tree);
  if (value === undefined || checked === undefined) return undefined;
  const definition = looseDefinition(value);
  return {
    file,
    tree,
    definition,
    scopes: scopesOf(definition, { kinds: checked.kinds, options }),
    expressions: expressionsOf(file.text, tree.root),
  };
}
