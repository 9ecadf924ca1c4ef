import { getOrCompute } from '../../../core/model/lazily.ts';
import { isKubeObject } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import { isGraph, scopesOfGraph } from '../../../graph/index.ts';
import { type ExpressionField, loosePartsOf, type Scopes, scopesOf } from '../../../kro/compile/index.ts';
import type { Definition } from '../../../kro/definition/index.ts';
import {
  type DocumentTree,
  type ScalarNode,
  scalarTextOf,
  textOffsetAt,
  treeValue,
  valueOffsetAt,
  walkTree,
  type YamlNode,
} from '../../../yaml/tree/index.ts';
import type { Checked } from '../workspace/check.ts';
import { rgdIn, type SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
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

/** An expression of an RGD in the text, which may be incomplete. */
export interface WrittenExpression {
  source: string;
  closed: boolean;
  place: ExpressionField;
  /** The index of its node; undefined in the status. */
  node: number | undefined;
  /** The path of its scalar. */
  path: Path;
  scalar: ScalarNode;
  /** Whether it is the whole scalar. */
  standalone: boolean;
  /** Converts an offset of the source to one of the text. */
  textOffset(offset: number): number;
  /** Converts an offset of the text to one of the source. */
  sourceOffset(offset: number): number;
}

/** Returns all expressions of an RGD, or of another definition with its own places, in the order of the text. */
function expressionsOf(
  text: string,
  root: YamlNode,
  placeOf: (path: Path) => Pick<WrittenExpression, 'place' | 'node'> | undefined = placeInRgd,
): WrittenExpression[] {
  const expressions: WrittenExpression[] = [];
  walkTree(root, (node, path) => {
    if (node.kind !== 'scalar' || node.style === 'empty') return;
    const where = placeOf(path);
    if (where === undefined || !text.slice(node.start, node.end).includes('${')) return;
    const written = scalarTextOf(text, node);
    const parts = loosePartsOf(written.value);
    for (const { source, start, closed } of parts) {
      const isWhole = start === 2 && written.value.length === start + source.length + (closed ? 1 : 0);
      expressions.push({
        ...{ ...where, source, closed, path, scalar: node, standalone: parts.length === 1 && isWhole },
        textOffset: (offset) => textOffsetAt(written, start + offset),
        sourceOffset: (offset) => valueOffsetAt(written, offset) - start,
      });
    }
  });
  return expressions;
}

/** Returns the position type of an expression by the path of its scalar. */
function placeInRgd(path: Path): Pick<WrittenExpression, 'place' | 'node'> | undefined {
  const [spec, part, third, fourth] = path;
  if (spec !== 'spec') return undefined;
  if (part === 'schema' && third === 'status') return { place: 'status', node: undefined };
  if (part !== 'resources' || typeof third !== 'number') return undefined;
  if (fourth === 'template' || fourth === 'externalRef') return { place: 'template', node: third };
  if (fourth === 'forEach' || fourth === 'includeWhen' || fourth === 'readyWhen') return { place: fourth, node: third };
  return undefined;
}

/** Returns the expression around an offset of the text, ends included. */
export const writtenAt = (expressions: readonly WrittenExpression[], offset: number): WrittenExpression | undefined =>
  expressions.find(({ textOffset, source, closed }) => {
    const end = textOffset(source.length);
    return offset >= textOffset(0) && (offset <= end || (!closed && offset <= end + 1));
  });
