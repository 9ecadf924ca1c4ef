import { lazily, onceFor } from '../core/model/lazily.ts';
import { isKubeObject } from '../core/model/object.ts';
import type { Path } from '../core/model/value.ts';
import { isGraph, scopesOfGraph } from '../graph/index.ts';
import { forbiddenFunctions, loosePartsOf, type Scopes, scopesOf } from '../kro/compile/index.ts';
import type { Definition } from '../kro/definition/index.ts';
import { inspect, kroEnvironment, parseRecovering } from '../languages/cel/index.ts';
import {
  type DocumentTree,
  type ScalarNode,
  scalarTextOf,
  textOffsetAt,
  treeValue,
  valueOffsetAt,
} from '../yaml/tree/index.ts';
import type { CompletedExpression } from './cel/complete.ts';
import { forLastVersion } from './last-version.ts';
import { looseDefinition } from './workspace/check.ts';
import { rgdIn, type SourceFile } from './workspace/file.ts';
import type { Workspace } from './workspace/workspace.ts';
import { collect } from './yaml/context.ts';

/** An expression of an RGD, a Graph or an admission policy in the text, which may be incomplete. */
export interface Expression extends CompletedExpression {
  source: string;
  /** Converts an offset of the source to one of the text. */
  textOffset(offset: number): number;
  /** Converts an offset of the text to one of the source. */
  sourceOffset(offset: number): number;
  /** Its location in a definition; undefined for a policy. */
  written?: Written;
}

export interface Written {
  model: Model;
  closed: boolean;
  place: Parameters<Scopes['at']>[0];
  /** The index of its node; undefined in the status. */
  node: number | undefined;
  path: Path;
  scalar: ScalarNode;
  /** Whether it is the whole scalar. */
  standalone: boolean;
}

export type WrittenExpression = Expression & { written: Written };

/** An RGD or a Graph that is being edited, with everything that is known despite errors. */
export interface Model {
  file: SourceFile;
  tree: DocumentTree;
  definition: Definition;
  scopes: Scopes;
  expressions: readonly WrittenExpression[];
}

/** Reports whether an expression has any text: an empty one has no names, and need not be checked for them. */
export const hasText = ({ source }: Expression): boolean => source.trim() !== '';

const modelsOf = forLastVersion((file, checked, { settings: { options } }) =>
  onceFor((tree: DocumentTree) => checked && createModel(file, tree, { kinds: checked.kinds, options })),
);

/** Returns the model of a document of a package; `undefined` if it is neither an RGD nor a Graph. */
export const modelOf = (file: SourceFile, tree: DocumentTree, workspace: Workspace): Model | undefined =>
  modelsOf(file, workspace)(tree);

type PlaceInText = Pick<Written, 'place' | 'node'>;
type PlaceOf = (path: Path) => PlaceInText | undefined;

function createModel(file: SourceFile, tree: DocumentTree, context: Parameters<typeof scopesOf>[1]): Model | undefined {
  const { text } = file;
  const modelWith = (definition: Definition, scopes: Scopes, placeOf: PlaceOf): Model => {
    const model: Model = { file, tree, definition, scopes, expressions: [] };
    const forbidden = forbiddenFunctions(context.options.experimental);
    return Object.assign(model, { expressions: expressionsOf(model, placeOf, forbidden) });
  };
  const rgd = rgdIn(text, tree);
  if (rgd !== undefined) {
    const definition = looseDefinition(rgd);
    return modelWith(definition, scopesOf(definition, context), placeInRgd);
  }
  if (!/\bkind["']?: *["']?Graph\b/.test(text.slice(tree.start, tree.end))) return undefined;
  const object = treeValue(text, tree.root);
  if (!isKubeObject(object) || !isGraph(object)) return undefined;
  const { definition, scopes } = scopesOfGraph({ object }, context);
  const indexes = new Map(definition.nodes.map((node, index) => [node.path.join('\n'), index]));
  return modelWith(definition, scopes, (path) => placeInGraph(path, indexes));
}

function placeInRgd(path: Path): PlaceInText | undefined {
  const [spec, part, third, fourth] = path;
  if (spec !== 'spec') return undefined;
  if (part === 'schema' && third === 'status') return { place: 'status', node: undefined };
  if (part !== 'resources' || typeof third !== 'number') return undefined;
  if (fourth === 'template' || fourth === 'externalRef') return { place: 'template', node: third };
  if (fourth === 'forEach' || fourth === 'includeWhen' || fourth === 'readyWhen') return { place: fourth, node: third };
  return undefined;
}

/** Returns the place of a path in the innermost node around it; `indexes` are those of the nodes by their paths. */
function placeInGraph(path: Path, indexes: ReadonlyMap<string, number>): PlaceInText | undefined {
  let node: number | undefined;
  let field: Path[number] | undefined;
  let around = '';
  for (const [depth, step] of path.entries()) {
    around = depth === 0 ? String(step) : `${around}\n${step}`;
    const index = indexes.get(around);
    if (index === undefined) continue;
    node = index;
    field = path[depth + 1];
  }
  if (node === undefined || field === 'id' || field === 'graph') return undefined;
  if (field === 'forEach' || field === 'includeWhen' || field === 'readyWhen') return { place: field, node };
  return { place: 'template', node };
}

const expressionsOf = (model: Model, placeOf: PlaceOf, forbidden: ReadonlyMap<string, string>): WrittenExpression[] =>
  collect(model.tree.root, (node, path) => {
    const { file, scopes } = model;
    if (node.kind !== 'scalar' || node.style === 'empty') return [];
    const where = placeOf(path);
    if (where === undefined || !file.text.slice(node.start, node.end).includes('${')) return [];
    const written = scalarTextOf(file.text, node);
    const parts = loosePartsOf(written.value);
    return parts.map(({ source, start, closed }): WrittenExpression => {
      const isWhole = start === 2 && written.value.length === start + source.length + (closed ? 1 : 0);
      const names = lazily(() => scopes.at(where.place, where.node));
      return {
        source,
        names,
        forbidden,
        written: { model, ...where, closed, path, scalar: node, standalone: parts.length === 1 && isWhole },
        textOffset: (offset) => textOffsetAt(written, start + offset),
        sourceOffset: (offset) => valueOffsetAt(written, offset) - start,
        inspected: lazily(() => {
          const parsed = parseRecovering(source);
          return parsed && inspect(kroEnvironment(), parsed, names());
        }),
      };
    });
  });
