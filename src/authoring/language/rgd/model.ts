import { type Scopes, scopesOf } from '../../../kro/compile/index.ts';
import type { Definition } from '../../../kro/definition/index.ts';
import type { DocumentTree } from '../../../yaml/tree/index.ts';
import type { Checked, CheckSettings } from '../workspace/check.ts';
import { rgdIn } from '../workspace/facts.ts';
import type { SourceFile } from '../workspace/file.ts';
import { looseDefinition } from './loose.ts';
import { type Site, sitesOf } from './sites.ts';

/** An RGD as somebody writes it, with all that can be said of it while it is wrong. */
export interface RgdModel {
  file: SourceFile;
  tree: DocumentTree;
  definition: Definition;
  scopes: Scopes;
  sites: readonly Site[];
}

interface Known {
  tree: DocumentTree;
  checked: Checked | undefined;
  model: RgdModel | undefined;
}

/** The last model of each document. What is older is let go: it holds on to what was known of its package then. */
const known = new WeakMap<CheckSettings, Map<string, Known>>();

/** The model of a document; `undefined` when it is no RGD. `checked` is what is known of its package. */
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
    sites: sitesOf(file.text, tree.root),
  };
}
