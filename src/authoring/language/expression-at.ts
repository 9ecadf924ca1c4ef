import { isKubeObject } from '../../core/model/object.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import type { Environment, InspectedExpression } from '../../languages/cel/index.ts';
import { scalarTextOf, textOffsetAt, treeValue, valueOffsetAt } from '../../yaml/tree/index.ts';
import { inspectPolicy, isPolicy, policyEnvironment, policyScope } from '../policies/index.ts';
import type { Names } from './cel/complete.ts';
import { type Model, modelOf, type WrittenExpression, writtenAt } from './rgd/model.ts';
import { inspectExpression } from './symbols/of-rgd.ts';
import type { SourceFile } from './workspace/file.ts';
import type { Workspace } from './workspace/workspace.ts';
import { scalarAt } from './yaml/context.ts';

/** An expression of an RGD, a Graph or an admission policy, which may be incomplete. */
export interface ExpressionAt extends Pick<WrittenExpression, 'source' | 'textOffset' | 'sourceOffset'> {
  /** Undefined if it is no expression at all. */
  inspected: InspectedExpression | undefined;
  names: Names;
  /** Its functions, if they are not those of kro, and those that it may not call. */
  environment?: Environment;
  forbidden: ReadonlyMap<string, string>;
  /** Its definition; undefined for a policy. */
  written?: Written;
}

interface Written {
  model: Model;
  expression: WrittenExpression;
}

/** Returns the expression at an offset of a text. */
export function expressionAt(file: SourceFile, offset: number, workspace: Workspace): ExpressionAt | undefined {
  const written = writtenIn(file, offset, workspace);
  if (written === undefined) return inPolicy(file, offset, workspace);
  const { model, expression } = written;
  const { scopes } = model;
  const names = scopes.at(expression.place, expression.node);
  const inspected = inspectExpression(model, expression);
  return { ...expression, inspected, names, forbidden: scopes.forbiddenFunctions, written };
}

/** Returns the expression of an RGD or a Graph at an offset of a text. */
export function kroExpressionAt(
  file: SourceFile,
  offset: number,
  workspace: Workspace,
): (Written & { inspected: InspectedExpression }) | undefined {
  const written = writtenIn(file, offset, workspace);
  const inspected = written && inspectExpression(written.model, written.expression);
  return written && inspected && { ...written, inspected };
}

function writtenIn(file: SourceFile, offset: number, workspace: Workspace): Written | undefined {
  const tree = file.treeAt(offset);
  const model = tree && modelOf(file, tree, workspace);
  const expression = model && writtenAt(model.expressions, offset);
  return model && expression && { model, expression };
}

function inPolicy(file: SourceFile, offset: number, workspace: Workspace): ExpressionAt | undefined {
  const tree = file.treeAt(offset);
  if (!tree || !file.text.slice(tree.start, tree.end).includes('ValidatingAdmissionPolicy')) return undefined;
  const object = treeValue(file.text, tree.root);
  const found = isKubeObject(object) && isPolicy({ object }) ? scalarAt(tree.root, offset) : undefined;
  const names = found && policyScope(object, found.path, workspace.known(file.uri)?.kinds ?? builtinKinds);
  if (found === undefined || names === undefined) return undefined;
  const written = scalarTextOf(file.text, found.node);
  const inspected = inspectPolicy(written.value, names);
  return (
    inspected && {
      ...{ inspected, names, source: written.value, environment: policyEnvironment(), forbidden: new Map() },
      textOffset: (at) => textOffsetAt(written, at),
      sourceOffset: (at) => valueOffsetAt(written, at),
    }
  );
}
