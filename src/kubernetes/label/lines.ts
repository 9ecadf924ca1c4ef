import type { Problem } from '../../core/diagnostics/index.ts';
import { HELM_WEIGHT, SYNC_WAVE } from '../../core/model/keys.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import { inOrder } from '../../core/model/order.ts';
import { get, isMap, type Value } from '../../core/model/value.ts';

/** An object that is replaced by those that it renders, such as a ResourceSet: who depends on it depends on them. */
export interface Group {
  object: KubeObject;
  /** Its objects, step by step: applied ones, or further groups. */
  steps: readonly (readonly KubeObject[])[];
  dependencies: readonly KubeObject[];
  report: (problem: Problem) => void;
}

/** A barrier between objects: everything behind it depends on everything before it. */
export interface Line {
  group: Group;
  objects: KubeObject[];
  /** Ends of groups that are before it. */
  lines: Line[];
  /** The barrier before the step that ends here; none at the start of a group. */
  previous: Line | undefined;
}

/** The barriers at the start and end of steps of groups. */
export class Lines {
  readonly all: Line[] = [];
  private readonly ends = new Map<string, Line>();
  private readonly starts = new Map<string, Line>();

  /** @param dependenciesOf returns the dependencies of the object of a group, which may have been rendered */
  constructor(groups: readonly Group[], dependenciesOf: (object: KubeObject) => readonly KubeObject[]) {
    const lines = groups.map((group) => this.addSteps(group));
    groups.forEach((group, index) => {
      const [first, ...others] = lines[index] as [Line, ...Line[]];
      for (const one of [...group.dependencies, ...dependenciesOf(group.object)]) this.put(one, first);
      const outer = this.before(group.object);
      if (outer !== undefined) first.lines.push(outer);
      stepsOf(group).forEach((step, at) => {
        for (const one of step) this.put(one, others[at] as Line);
      });
    });
  }

  /** Returns the barrier after all objects of a group; none for an ordinary object. */
  endOf(object: KubeObject): Line | undefined {
    return this.ends.get(identityOf(object));
  }

  /** Returns the barrier before an object that a group renders. */
  before(object: KubeObject): Line | undefined {
    return this.starts.get(identityOf(object));
  }

  private addSteps(group: Group): Line[] {
    const lines: Line[] = [{ group, objects: [], lines: [], previous: undefined }];
    for (const members of stepsOf(group)) {
      const previous = lines.at(-1) as Line;
      for (const object of members) this.starts.set(identityOf(object), previous);
      lines.push({ group, objects: [], lines: [], previous });
    }
    for (const line of lines) this.all.push(line);
    this.ends.set(identityOf(group.object), lines.at(-1) as Line);
    return lines;
  }

  private put(object: KubeObject, { objects, lines }: Line): void {
    const end = this.endOf(object);
    if (end === undefined) objects.push(object);
    else lines.push(end);
  }
}

const stepsOf = ({ steps }: Group): Group['steps'] => steps.filter((step) => step.length > 0);

/** Returns the objects before a barrier: those of the step that ends there, or of an earlier one if it applies none. */
export function objectsBefore(line: Line, isApplied: (object: KubeObject) => boolean): KubeObject[] {
  const found = new Set<KubeObject>();
  const seen = new Set<Line>();
  const earlier: Line[] = [];
  for (let ahead = [line]; ahead.length > 0; ahead = found.size > 0 ? [] : earlier.splice(0)) {
    for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      for (const object of one.objects) if (isApplied(object)) found.add(object);
      for (const line of one.lines) ahead.push(line);
      if (one.previous !== undefined) earlier.push(one.previous);
    }
  }
  return [...found];
}

export interface Step {
  /** The wave of the author; undefined if it can be chosen. */
  own: number | undefined;
  /** The steps that must be in an earlier wave. */
  after: readonly number[];
  /** Not an object but a barrier: it is in the last wave of its dependencies. */
  isBarrier?: boolean;
}

const distance = ({ isBarrier }: Step): number => (isBarrier ? 0 : 1);

export interface Waves {
  /** A wave for each step: after all of its dependencies if possible. */
  waves: number[];
  /** Waves of the author that are too early: the first possible wave, and the cause. */
  conflicts: { step: number; least: number; because: number }[];
}

/** Chooses the lowest waves after dependencies, and before what the author put early, in linear time. */
export function chooseWaves(steps: readonly Step[]): Waves {
  const order = inOrder(steps);
  const least = new Array<number>(steps.length).fill(Number.NEGATIVE_INFINITY);
  const because = new Array<number>(steps.length).fill(-1);
  const conflicts: Waves['conflicts'] = [];
  for (const index of order) {
    const step = steps[index] as Step;
    const { own, after } = step;
    for (const before of after) {
      const fixed = steps[before]?.own;
      const bound = (fixed ?? (least[before] as number)) + distance(step);
      if (bound <= (least[index] as number)) continue;
      least[index] = bound;
      because[index] = fixed === undefined ? (because[before] as number) : before;
    }
    const bound = least[index] as number;
    if (own !== undefined && own < bound)
      conflicts.push({ step: index, least: bound, because: because[index] as number });
  }
  return { waves: settle(steps, order, latest(steps, order)), conflicts };
}

/** Returns the last wave that still comes before what the author put early. */
function latest(steps: readonly Step[], order: readonly number[]): number[] {
  const bounds = new Array<number>(steps.length).fill(Number.POSITIVE_INFINITY);
  for (const index of order.toReversed()) {
    const step = steps[index] as Step;
    const { own, after } = step;
    const bound = (own ?? (bounds[index] as number)) - distance(step);
    for (const before of after) bounds[before] = Math.min(bounds[before] as number, bound);
  }
  return bounds;
}

function settle(steps: readonly Step[], order: readonly number[], bounds: readonly number[]): number[] {
  const waves = new Array<number>(steps.length).fill(0);
  for (const index of order) {
    const step = steps[index] as Step;
    const { own, after } = step;
    const first = distance(step) - 1;
    const depth = after.reduce((deepest, at) => Math.max(deepest, (waves[at] as number) + distance(step)), first);
    waves[index] = own ?? Math.min(depth, bounds[index] as number);
  }
  return waves;
}

/**
 * Returns the wave that Argo CD reads from an object; undefined without one. A value that is not an integer is ignored,
 * and the weight of a Helm hook is a wave (gitops-engine: sync/syncwaves/waves.go).
 */
export function ownWave(object: KubeObject): number | undefined {
  const annotations = get(object.metadata, 'annotations');
  if (!isMap(annotations)) return undefined;
  const wave = integerOf(get(annotations, SYNC_WAVE)) ?? integerOf(get(annotations, HELM_WEIGHT));
  return wave ?? (Object.hasOwn(annotations, SYNC_WAVE) ? 0 : undefined);
}

/** Parses as Go's strconv.Atoi does. */
function integerOf(value: Value | undefined): number | undefined {
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
