import { MAX_TEMPLATE_DEPTH } from '../../../core/model/limits.ts';
import { FunctionError } from '../fault.ts';
import { display } from '../format/value.ts';
import type { BranchNode, Node, TemplateNode } from '../syntax/nodes.ts';
import {
  GoInt,
  GoList,
  GoMap,
  type GoValue,
  int,
  integerOf,
  isTrue,
  NilInterface,
  sizeOf,
  sortedEntries,
  stored,
} from '../values/values.ts';
import { evaluatePipe, type Scope } from './evaluate.ts';
import { type Execution, failAt, refuseValueAt, Variables, write } from './state.ts';

/** How a list of nodes ended: a loop continues, or ends. */
type Jump = 'break' | 'continue' | undefined;

/** Executes the main template of the text. */
export function executeNodes(execution: Execution, nodes: readonly Node[], dot: GoValue): void {
  walk({ execution, variables: new Variables(dot), dot }, nodes);
}

function walk(scope: Scope, nodes: readonly Node[]): Jump {
  for (const node of nodes) {
    const jump = walkNode(scope, node);
    if (jump !== undefined) return jump;
  }
  return undefined;
}

function walkNode(scope: Scope, node: Node): Jump {
  const { execution } = scope;
  execution.meter.at = node.offset;
  execution.meter.spendSteps(1);
  switch (node.type) {
    case 'text':
      write(execution, node.text);
      return undefined;
    case 'action':
      walkAction(scope, node.pipe);
      return undefined;
    case 'break':
    case 'continue':
      return node.type;
    case 'template':
      walkTemplate(scope, node);
      return undefined;
    default:
      return node.type === 'range' ? walkRange(scope, node) : walkBranch(scope, node);
  }
}

function walkAction(scope: Scope, pipe: Parameters<typeof evaluatePipe>[1]): void {
  const value = evaluatePipe(scope, pipe);
  if (pipe.variables.length > 0) return;
  if (value instanceof GoList || value instanceof GoMap) {
    // Recursive values, or values with exponential repetition, cannot be printed.
    try {
      scope.execution.meter.spendBytes(sizeOf(value));
    } catch (error) {
      throw error instanceof FunctionError ? failAt(pipe.offset, error.message) : error;
    }
  }
  write(scope.execution, value === null ? '<no value>' : display(value));
}

function walkBranch(scope: Scope, { type, pipe, body, otherwise }: BranchNode): Jump {
  const mark = scope.variables.mark();
  const value = evaluatePipe(scope, pipe);
  const inner = type === 'with' ? { ...scope, dot: value } : scope;
  const jump = isTrue(value) ? walk(inner, body) : walk(scope, otherwise ?? []);
  scope.variables.restore(mark);
  return jump;
}

function walkTemplate(scope: Scope, { name, pipe, offset }: TemplateNode): void {
  const { execution } = scope;
  const nodes = execution.templates.get(name);
  if (nodes === undefined) throw failAt(offset, `template ${JSON.stringify(name)} not defined`);
  if (execution.depth >= MAX_TEMPLATE_DEPTH) {
    throw failAt(offset, `exceeded maximum template depth (${MAX_TEMPLATE_DEPTH})`);
  }
  const dot = pipe === undefined ? null : evaluatePipe(scope, pipe);
  execution.depth++;
  executeNodes(execution, nodes, dot);
  execution.depth--;
}

function walkRange(scope: Scope, node: BranchNode): Jump {
  const mark = scope.variables.mark();
  const value = evaluatePipe(scope, node.pipe);
  const inside = scope.variables.mark();
  let rounds = 0;
  for (const [index, item] of itemsOf(value, node, scope.execution)) {
    rounds++;
    scope.execution.meter.at = node.offset;
    scope.execution.meter.spendSteps(1);
    bind(scope, node, index, item);
    const jump = walk({ ...scope, dot: item }, node.body);
    scope.variables.restore(inside);
    if (jump === 'break') break;
  }
  // Variables declared before the loop are still visible in its alternative.
  const jump = rounds === 0 && node.otherwise !== undefined ? walk(scope, node.otherwise) : undefined;
  scope.variables.restore(mark);
  return jump;
}

function bind({ variables }: Scope, { pipe }: BranchNode, index: GoValue, item: GoValue): void {
  const [first, second] = pipe.variables;
  if (first === undefined) return;
  if (pipe.assigns) {
    variables.assign(first, second === undefined ? item : index);
    if (second !== undefined) variables.assign(second, item);
    return;
  }
  variables.setTop(1, item);
  if (second !== undefined) variables.setTop(2, index);
}

/** Iterates over a value. */
function* itemsOf(value: GoValue, { pipe, offset }: BranchNode, { meter }: Execution): Generator<[GoValue, GoValue]> {
  if (value === null || value instanceof NilInterface) return;
  if (value instanceof GoList) {
    // The list may change during the loop; its original length counts.
    for (let index = 0; index < value.items.length; index++) {
      const item = value.items[index] ?? null;
      yield [int(index), value.element === 'interface {}' ? stored(item) : item];
    }
    return;
  }
  if (value instanceof GoMap) {
    meter.spendSteps(value.entries.size);
    for (const [key, item] of sortedEntries(value)) yield [key, value.element === 'interface {}' ? stored(item) : item];
    return;
  }
  const count = integerOf(value);
  if (count === undefined) throw refuseValueAt(offset, `range can't iterate over ${display(value)}`);
  if (pipe.variables.length > 1) {
    throw refuseValueAt(offset, `can't use ${display(value)} to iterate over more than one variable`);
  }
  const kind = value instanceof GoInt ? value.kind : undefined;
  for (let index = 0n; index < count; index++) yield [null, kind === undefined ? index : new GoInt(index, kind)];
}
