import { HELM_WEIGHT, SYNC_WAVE } from '../../core/model/keys.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { inOrder } from '../../core/model/order.ts';
import { get, isMap, type Value } from '../../core/model/value.ts';

/** A node of the graph of one phase. */
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

/**
 * Chooses waves: as low as the depth in the graph, after dependencies with waves of the author, and before what the
 * author put early (waves may be negative). Linear in the size of the graph.
 */
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
