import type { TemplateField } from '../compile/graph.ts';
import { DYN } from '../cel/types.ts';
import { EvalError } from '../cel/values.ts';
import { toJson } from '../cel/index.ts';
import type { CompiledExpression } from '../compile/graph.ts';
import { setKey, type Value, type ValueMap } from '../model/value.ts';
import type { InstanceRun } from './instance.ts';
import { reportAbout } from './report.ts';
import type { World } from './world.ts';

/**
 * The author-defined status of an instance as far as it can be computed (kro: softResolve): a field that waits is
 * absent, a field that fails is absent with a warning. Worked out only when somebody reads it.
 */
export function statusOf(run: InstanceRun, world: World): ValueMap {
  const value = resolve(run.graph.status.template, run, world);
  return value === undefined ? {} : (value as ValueMap);
}

function resolve(field: TemplateField, run: InstanceRun, world: World): Value | undefined {
  switch (field.kind) {
    case 'literal':
      return field.value;
    case 'list':
      return field.items.flatMap((item) => resolve(item, run, world) ?? []);
    case 'map': {
      const map: ValueMap = {};
      for (const [key, value] of field.entries) {
        const resolved = resolve(value, run, world);
        if (resolved !== undefined) setKey(map, key, resolved);
      }
      return Object.keys(map).length > 0 || field.entries.length === 0 ? map : undefined;
    }
    case 'expression':
      return evaluate(field.expression, run, world);
    case 'text': {
      const parts = field.parts.map((part) => (typeof part === 'string' ? part : evaluate(part, run, world)));
      return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
  }
}

function evaluate(expression: CompiledExpression, run: InstanceRun, world: World): Value | undefined {
  // A node that was skipped or still waits has no value: the field is not there yet.
  if (expression.nodes.some((node) => run.states[node] !== 'done')) return undefined;
  try {
    return toJson(expression.program.run(run.frame, run.budget), DYN);
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    if (error.kind !== 'missing') {
      const message = `status: '${expression.source.trim()}': ${error.message}`;
      reportAbout(run, world, { code: 'status-failed', message, path: [], severity: 'warning' });
    }
    return undefined;
  }
}
