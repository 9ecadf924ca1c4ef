/** Searches for instances that the schema of an RGD accepts and that do not work, and makes each as small as possible. */
import { groupBy } from '../../core/model/group-by.ts';
import { type InputObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, getAt, isMap, mapItems, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { CoverageItem } from '../../describe/coverage/index.ts';
import {
  generatedInput,
  generateInstances,
  type OptionalFields,
  optionalFields,
  shrink,
} from '../../describe/instances/index.ts';
import { type Graph, reachedFrom } from '../../kro/compile/index.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import { type Bound, type Cause, causeOf, otherBounds, type Trial } from './cause.ts';
import type { Fault, Probe } from './probe.ts';

/** Instances that the schema accepts and that show a fault, as small as they were found. */
export interface Counterexample {
  fault: Fault;
  /** One instance; two for objects that both render. */
  instances: readonly InputObject[];
  /** The field that decides; undefined if no single one does. */
  cause: Cause | undefined;
  /** The other faults of the same kind that these instances show. */
  others: readonly Fault[];
}

/** What was found out about one RGD. */
export interface Explored {
  graph: Graph;
  /** The number of instances that were tried, and whether there are more. */
  tried: number;
  isCut: boolean;
  /** The nodes, sides of conditions, sizes of collections and arms of expressions. */
  branches: readonly CoverageItem[];
  optional: OptionalFields;
  counterexamples: readonly Counterexample[];
}

/** How many instances of an RGD are generated, how often a smaller one is tried, and how often any one is rendered. */
const MOST_INSTANCES = 400;
const MOST_SHRINKING = 30;
const MOST_TRIALS = 600;
/** How many nodes and objects are looked at to find faults, and how many more to make instances smaller. */
const MOST_WORK = 8000;
const MOST_WORK_SHRINKING = 8000;
/** How many nodes and objects of all RGDs of a package are looked at to find faults: each RGD has an equal share. */
const MOST_WORK_TOGETHER = 40_000;
/** How many instances are rendered together. */
const TOGETHER = 40;

/** Explores an RGD, one of so many in its package. The same package has the same result each time. */
export function explore(graph: Graph, probe: Probe, options: RenderOptions, count: number): Explored {
  return new Search(graph, probe, options, Math.ceil(MOST_WORK_TOGETHER / count)).run();
}

/** What was found out about the generated instances. */
interface Tried {
  faults: ReadonlyMap<InputObject, readonly Fault[]>;
  usual: InputObject | undefined;
}

/** A small instance that shows a fault. */
interface Reduced {
  instance: InputObject;
  cause: Cause | undefined;
}

class Search {
  #trials = MOST_TRIALS;
  #mostWork = Number.POSITIVE_INFINITY;

  constructor(
    private readonly graph: Graph,
    private readonly probe: Probe,
    private readonly options: RenderOptions,
    /** How many nodes and objects of this RGD may be looked at. */
    private readonly share: number,
  ) {}

  run(): Explored {
    const { graph, probe, options } = this;
    const { instances, usual, isCut } = generateInstances([graph], {
      ...options,
      most: Math.min(MOST_INSTANCES, this.share),
      triesExtremes: true,
      faultsOf: (input) => probe.faultsOf(input).length,
    });
    const faults = new Map<InputObject, readonly Fault[]>();
    const start = probe.work;
    const isWithin = (): boolean => probe.work - start < Math.min(MOST_WORK, this.share);
    for (let from = 0; from < instances.length && isWithin(); from += TOGETHER) {
      for (const [input, found] of probe.faultsOfAll(instances.slice(from, from + TOGETHER))) faults.set(input, found);
    }
    this.#mostWork = probe.work + Math.min(MOST_WORK_SHRINKING, this.share);
    const alone = this.#smallest(faults, usual);
    const counterexamples = [...alone, ...this.#pairs(usual)];
    const reached = reachedFrom(`${graph.kind}.${graph.group}`, probe.graphs);
    return {
      graph,
      tried: faults.size,
      isCut: isCut || faults.size < instances.length,
      branches: probe.takeCovered(reached.map(({ name }) => name)),
      optional: optionalFields(graph, [...faults.keys()]),
      counterexamples,
    };
  }

  /** Returns a counterexample for each fault; those of one kind that one instance shows are one. */
  #smallest(
    faults: ReadonlyMap<InputObject, readonly Fault[]>,
    usual: InputObject | undefined,
  ): readonly Counterexample[] {
    const explained = new Set<string>();
    const found: Counterexample[] = [];
    for (const [key, input] of this.#plainest(faults)) {
      if (explained.has(key)) continue;
      for (const { instance, cause } of this.#reduced(key, input, { faults, usual })) {
        const shown = instance === input ? (faults.get(input) ?? []) : this.probe.faultsOf(instance);
        const fresh = shown.filter((fault) => fault.key === key || !explained.has(fault.key));
        for (const same of groupBy(fresh, ({ code }) => code).values()) {
          const [fault, ...others] = same;
          if (fault !== undefined) found.push({ fault, instances: [instance], cause, others });
        }
        for (const fault of shown) explained.add(fault.key);
      }
    }
    return strictest(found);
  }

  /** Returns the smallest instances that show a fault, each with the field that decides: one for each bound of it. */
  #reduced(key: string, input: InputObject, { faults, usual }: Tried): Reduced[] {
    const shows = (one: InputObject): boolean => this.#shows(one, key);
    const small = shrink(input, { most: MOST_SHRINKING, shows });
    const isAccepted = (one: InputObject): boolean => this.#isAccepted(one);
    const trial: Trial = { small, usual, shows, isAccepted, hasTrials: () => this.#hasTrials() };
    const cause = causeOf(trial, this.graph);
    if (cause === undefined) return [{ instance: small, cause }];
    const { path } = cause;
    const values = [...faults].flatMap(([one, found]) => {
      const value = path === undefined ? undefined : getAt(one.object, ['spec', ...path]);
      return value !== undefined && found.some((fault) => fault.key === key) ? [value] : [];
    });
    return [cause, ...otherBounds(cause, values, trial)].map((one) => ({ instance: one.least, cause: one }));
  }

  /** Returns for each fault the instance with the fewest faults that shows it, in the order of generation. */
  #plainest(faults: ReadonlyMap<InputObject, readonly Fault[]>): ReadonlyMap<string, InputObject> {
    const best = new Map<string, InputObject>();
    const countOf = (input: InputObject): number => faults.get(input)?.length ?? 0;
    for (const [input, found] of faults) {
      for (const { key } of found) {
        const known = best.get(key);
        if (known === undefined || countOf(input) < countOf(known)) best.set(key, input);
      }
    }
    return best;
  }

  #shows(input: InputObject, key: string): boolean {
    if (!this.#hasTrials() || !this.#isAccepted(input)) return false;
    this.#trials -= 1;
    return this.probe.faultsOf(input).some((fault) => fault.key === key);
  }

  #hasTrials(): boolean {
    return this.#trials > 0 && this.probe.work < this.#mostWork;
  }

  #isAccepted({ object }: InputObject): boolean {
    return this.graph.admission.admit(object, createBudget(this.options), false).problems.length === 0;
  }

  /** Returns two instances with different names and different texts that render one object. */
  #pairs(usual: InputObject | undefined): readonly Counterexample[] {
    if (usual === undefined || this.probe.faultsOf(usual).length > 0) return [];
    const other = this.#otherThan(usual);
    for (const second of other) {
      if (!this.#isAccepted(second) || this.probe.faultsOf(second).length > 0) continue;
      const together = this.probe.faultsOfTogether([usual, second]);
      const faults = [...together.values()].flat().filter(({ code }) => code === 'identity-collision');
      const [fault, ...others] = faults;
      if (fault !== undefined) return [{ fault, instances: [usual, second], cause: undefined, others }];
    }
    return [];
  }

  /** Returns a second instance in the same namespace, and one of the same name in another. */
  #otherThan({ object }: InputObject): InputObject[] {
    const { namespaced, schema } = this.graph;
    const spec = otherTexts(get(object, 'spec') ?? {}, schema.properties?.spec ?? {});
    const named = (metadata: ValueMap): InputObject => generatedInput({ ...object, metadata, spec }, 1);
    const name = nameOf(object);
    const namespace = namespaceOf(object);
    if (!namespaced) return [named({ name: `${name}-2` })];
    return [named({ name: `${name}-2`, namespace }), named({ name, namespace: `${namespace}-2` })];
  }
}

/** Keeps of the counterexamples of one bound the one that asks for the strictest; the others are counted with it. */
function strictest(found: readonly Counterexample[]): Counterexample[] {
  const hasLimit = ({ cause }: Counterexample): boolean => cause !== undefined && limitOf(cause.bound) !== undefined;
  const groups = groupBy(found.filter(hasLimit), ({ cause }) => JSON.stringify([cause?.path, cause?.bound.is]));
  const kept = [...groups.values()].flatMap((same) => {
    const [first, ...others] = same.toSorted((a, b) => strictnessOf(b) - strictnessOf(a));
    if (first === undefined) return [];
    const more = others.flatMap((one) => [one.fault, ...one.others]);
    const keys = new Set([first.fault, ...first.others].map(({ key }) => key));
    return [{ ...first, others: [...first.others, ...more.filter(({ key }) => !keys.has(key))] }];
  });
  return [...kept, ...found.filter((one) => !hasLimit(one))];
}

const limitOf = (bound: Bound): bigint | undefined => ('value' in bound ? bound.value : undefined);

/** A small maximum is strict, and a large minimum. */
function strictnessOf({ cause }: Counterexample): number {
  const limit = cause === undefined ? undefined : limitOf(cause.bound);
  const isMost = cause?.bound.is === 'longest' || cause?.bound.is === 'greatest';
  return Number(limit ?? 0n) * (isMost ? -1 : 1);
}

/** Returns a value whose free texts and keys are others. */
function otherTexts(value: Value, schema: Schema): Value {
  if (typeof value === 'string') {
    const isFree = [schema.enum, schema.pattern, schema.format].every((one) => one === undefined);
    return isFree ? `${value}-2` : value;
  }
  if (Array.isArray(value)) return value.map((item) => otherTexts(item, schema.items ?? {}));
  if (!isMap(value)) return value;
  const values = valueSchema(schema);
  if (values === undefined) {
    return mapItems(value, (item, key) => otherTexts(item, ownValue(schema.properties, String(key)) ?? {}));
  }
  const others: ValueMap = {};
  for (const [key, item] of Object.entries(value)) setKey(others, `${key}-2`, otherTexts(item, values));
  return others;
}
