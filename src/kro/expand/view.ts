import { phrase } from '../../core/diagnostics/index.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import { get, mergeMaps, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { type CelValue, DYN, EvaluationError, toJson } from '../../languages/cel/index.ts';
import { type CompiledExpression, type GraphNode, isList, nodeSlot, type TemplateField } from '../compile/index.ts';
import { reportAbout, shownReason, shownSource } from './report.ts';
import { type InstanceRun, nodeRun, type RenderedItem, setValue, takeStale, type World } from './run.ts';
import { statusReadsSecret } from './secrecy.ts';

/** Returns a rendered object as other nodes see it: merged over its observed state, if there is one. */
export function viewOf(rendered: RenderedItem, world: World): CelValue {
  return rendered.nested === undefined ? seen(rendered.object, world) : nestedView(rendered.nested);
}

function seen(object: KubeObject, world: World): CelValue {
  const observed = world.observed.isEmpty ? undefined : world.observed.find(identityOf(object));
  if (observed !== undefined) return mergeMaps(observed, object) as CelValue;
  return (
    world.options.assumeEmptyStatus && get(object, 'status') === undefined ? { ...object, status: {} } : object
  ) as CelValue;
}

/** Recomputes the views of nodes whose nested instances changed. */
export function refreshViews(run: InstanceRun, nodes: readonly number[]): void {
  for (const node of nodes) {
    if (!takeStale(run, node)) continue;
    const views = (run.rendered[node] ?? []).map((rendered) => viewOf(rendered, run.world));
    const at = nodeRun(run, node);
    setValue(at, at.node.kind === 'collection' ? views : (views[0] as CelValue));
  }
}

/** Returns a nested instance as an API server would store it; kro writes a status even if it is empty. */
export const nestedView = (run: InstanceRun): CelValue => seen({ ...run.instance, status: statusOf(run) }, run.world);

/** Returns the status as far as it can be computed (kro: softResolve); a failing field is absent, with a warning. */
export const statusOf = (run: InstanceRun): ValueMap => computeStatus(run).fields;

/** Returns the status, and whether a field failed: then kro writes none at all. */
export function computeStatus(run: InstanceRun): { fields: ValueMap; hasFailed: boolean } {
  const writer: StatusWriter = { run, isBlocked: false, hasFailed: false };
  const value = resolve(run.graph.status.template, writer);
  return { fields: value === undefined || writer.isBlocked ? {} : (value as ValueMap), hasFailed: writer.hasFailed };
}

interface StatusWriter {
  readonly run: InstanceRun;
  /** Nothing is written, because an element of a list has no value. */
  isBlocked: boolean;
  hasFailed: boolean;
}

function resolve(field: TemplateField, writer: StatusWriter): Value | undefined {
  switch (field.kind) {
    case 'literal':
      return field.value;
    case 'list':
      return field.items.flatMap((item) => {
        const value = resolve(item, writer);
        const isElement = item.kind === 'expression' || item.kind === 'text';
        if (isElement && value === undefined && writer.run.world.semantics.statusElementBlocks) writer.isBlocked = true;
        return value ?? [];
      });
    case 'map': {
      const map: ValueMap = {};
      for (const [key, value] of field.entries) {
        const resolved = resolve(value, writer);
        if (resolved !== undefined) setKey(map, key, resolved);
      }
      return Object.keys(map).length > 0 || field.entries.length === 0 ? map : undefined;
    }
    case 'expression':
      return evaluate(field.expression, writer);
    case 'text': {
      const parts = field.parts.map((part) => (typeof part === 'string' ? part : evaluate(part, writer)));
      return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
  }
}

function evaluate(expression: CompiledExpression, writer: StatusWriter): Value | undefined {
  const { run } = writer;
  refreshViews(run, expression.nodes);
  // A skipped or waiting node has no value: the field is absent if it reads one. From kro 0.10 on, it is empty.
  const absent = expression.nodes.filter((node) => run.states[node] !== 'done');
  const frame = absent.reduce((values, node) => {
    const empty = run.world.semantics.statusReadsLeftOut ? emptyValueOf(run.graph.nodes[node]) : undefined;
    return values.with(nodeSlot(node), empty);
  }, run.frame);
  try {
    return toJson(expression.program.run(frame, run.budget), DYN, run.budget);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (error.kind !== 'missing') {
      writer.hasFailed = true;
      const reason = shownReason(expression, error, run.graph, statusReadsSecret(expression, run));
      const message = phrase`status: ${shownSource(expression, run.graph)}: ${reason}`;
      reportAbout(run, { code: 'status-failed', message, path: [], severity: 'warning' });
    }
    return undefined;
  }
}

const emptyValueOf = (node: GraphNode | undefined): CelValue =>
  (node !== undefined && isList(node) ? [] : {}) as CelValue;
