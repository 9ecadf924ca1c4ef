import type { Bind, Comprehension } from '../ast.ts';
import { spendEntries, spendSize, spendSteps } from '../budget.ts';
import { mapEntries, mapFrom } from '../value/order.ts';
import { type CelKey, type CelValue, failure, isMapValue, keyText, kindOf } from '../value/values.ts';
import { attempt, failureOf, noSuchOverload } from './operators.ts';
import { asResult, partialLoop, partialQuantifier } from './partial.ts';
import { declare, type Planner, planExpr } from './planner.ts';
import { type Frame, located, type Run } from './step.ts';

/** Evaluates the bound value on first use, so that an unused one cannot fail (as in cel-go). */
export function planBind(p: Planner, expr: Bind): Run {
  const { inner, slots } = declare(p, [expr.name], planExpr(p, expr.init).run);
  const body = planExpr(inner, expr.body).run;
  const [slot = 0] = slots;
  const run: Run = (frame) => {
    frame.locals[slot] = undefined;
    return body(frame);
  };
  return p.partial ? asResult(run) : run;
}

/** Calls `body` for each item, with the loop variables set; stops if it returns true. */
type Loop = (frame: Frame, body: (key: CelKey) => unknown) => void;

export function planComprehension(p: Planner, expr: Comprehension): Run {
  const names = expr.variable2 === undefined ? [expr.variable] : [expr.variable, expr.variable2];
  const { inner, slots } = declare(p, names);
  const all = planIteration(planExpr(p, expr.range).run, slots, expr.range.id);
  const body = planExpr(inner, expr.body).run;
  const { id } = expr.body;
  const filter = expr.filter === undefined ? undefined : planExpr(inner, expr.filter).run;
  if (p.partial) return asResult(planPartialComprehension(expr, all, filter, body));
  const loop = filter === undefined ? all : filtered(all, filter, expr.filter?.id ?? id);
  switch (expr.does) {
    case 'all':
      return quantifier(loop, body, false, id);
    case 'exists':
      return quantifier(loop, body, true, id);
    case 'existsOne':
      return counter(loop, body, id);
    case 'list':
      return listBuilder(loop, body);
    case 'map':
      return mapBuilder(loop, body);
    case 'mapEntry':
      return entryBuilder(loop, body, id);
  }
}

function planPartialComprehension(expr: Comprehension, all: Loop, filter: Run | undefined, body: Run): Run {
  const { id } = expr.body;
  if (expr.does === 'all' || expr.does === 'exists') return partialQuantifier(all, body, expr.does === 'exists', id);
  if (expr.does === 'existsOne') return counter(partialLoop(all, body, id), () => true, id);
  const loop = partialLoop(all, filter, expr.filter?.id ?? id);
  if (expr.does === 'list') return listBuilder(loop, body);
  return expr.does === 'map' ? mapBuilder(loop, body) : entryBuilder(loop, body, id);
}

/** Iterates lists by element or with its index, maps by key or with its value, in key order. */
function planIteration(range: Run, slots: readonly number[], id: number): Loop {
  const [first = 0, second] = slots;
  return (frame, body) => {
    const items = range(frame);
    const { locals, budget } = frame;
    if (Array.isArray(items)) {
      for (let index = 0; index < items.length; index++) {
        spendSteps(budget, 1);
        const key = second === undefined ? 0n : BigInt(index);
        locals[first] = second === undefined ? items[index] : key;
        if (second !== undefined) locals[second] = items[index];
        if (body(key) === true) return;
      }
      return;
    }
    if (!isMapValue(items)) {
      throw located(failure(`got '${kindOf(items)}', expected iterable type`), id);
    }
    const entries = mapEntries(items);
    // They are sorted, even if the loop ends early.
    spendSteps(budget, entries.length * 3);
    for (const [key, value] of entries) {
      spendSteps(budget, 1);
      locals[first] = key;
      if (second !== undefined) locals[second] = value;
      if (body(key) === true) return;
    }
  };
}

/** `all` and `exists`: if one item decides, failures of others are ignored; else the first failure counts. */
function quantifier(loop: Loop, predicate: Run, decisive: boolean, id: number): Run {
  return (frame) => {
    let decided = false;
    let failed: unknown;
    loop(frame, () => {
      const value = attempt(predicate, frame);
      decided = value === decisive;
      if (!decided && value !== !decisive) failed ??= failureOf(value, id);
      return decided;
    });
    if (decided) return decisive;
    if (failed !== undefined) throw failed;
    return !decisive;
  };
}

function counter(loop: Loop, predicate: Run, id: number): Run {
  return (frame) => {
    let count = 0;
    loop(frame, () => {
      if (asBoolean(predicate(frame), id)) count++;
    });
    return count === 1;
  };
}

function asBoolean(value: CelValue, id: number): boolean {
  if (typeof value !== 'boolean') throw noSuchOverload(id);
  return value;
}

const filtered =
  (loop: Loop, filter: Run, id: number): Loop =>
  (frame, body) =>
    loop(frame, (key) => asBoolean(filter(frame), id) && body(key));

function listBuilder(loop: Loop, transform: Run): Run {
  return (frame) => {
    const list: CelValue[] = [];
    loop(frame, () => {
      spendSize(frame.budget, 1);
      list.push(transform(frame));
    });
    return list;
  };
}

function mapBuilder(loop: Loop, transform: Run): Run {
  return (frame) => {
    const entries: [CelKey, CelValue][] = [];
    loop(frame, (key) => {
      spendEntries(frame.budget, 1);
      entries.push([key, transform(frame)]);
    });
    return mapFrom(entries);
  };
}

function entryBuilder(loop: Loop, transform: Run, id: number): Run {
  return (frame) => {
    const entries = new Map<string, readonly [CelKey, CelValue]>();
    loop(frame, () => {
      const transformed = transform(frame);
      if (!isMapValue(transformed)) throw noSuchOverload(id);
      for (const entry of mapEntries(transformed)) {
        const [key] = entry;
        const text = keyText(key);
        if (entries.has(text))
          throw located(failure(`insert failed: key ${typeof key === 'object' ? key.value : key} already exists`), id);
        spendEntries(frame.budget, 1);
        entries.set(text, entry);
      }
    });
    return mapFrom([...entries.values()]);
  };
}
