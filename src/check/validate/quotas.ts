import {
  type Collector,
  hiddenTitleOf,
  type Problem,
  phrase,
  reporterFor,
  shown,
  titleText,
} from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { groupVersionKind, type InputObject, type KubeObject, namespaceOf } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';
import { get, getAt, isMap, listAt, ownValue, type Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { renderedInputs } from '../../kubernetes/front-end/index.ts';
import { pluralize } from '../../kubernetes/schema/index.ts';
import { selectForOutput } from '../../kubernetes/select/index.ts';
import { type Amount, addAmounts, compareAmounts, EvaluationError, parseQuantity } from '../../languages/cel/index.ts';
import type { Rendering } from '../../render/pipeline.ts';

/** What an object uses of a quota, by the name of the resource. */
type Usage = ReadonlyMap<string, Amount>;

/** Warns of a ResourceQuota without scopes if the objects in its namespace, except DaemonSets' pods, need more. */
export function checkQuotas(rendering: Rendering, namespace: string, reports: Collector): void {
  for (const { input, problem } of exceededQuotas(rendering, namespace)) reporterFor(input, reports).report(problem);
}

/** A ResourceQuota that allows less than the objects in its namespace need. */
interface ExceededQuota {
  /** The quota as it was rendered; undefined if it is an object of the package. */
  rendered: Rendered | undefined;
  /** The quota, with the place of its template. */
  input: InputObject;
  problem: Problem;
}

/** Returns each ResourceQuota without scopes, and each resource of it, of which the objects in its namespace need more. */
export function exceededQuotas({ entries, sessions }: Rendering, namespace: string): ExceededQuota[] {
  const found: ExceededQuota[] = [];
  const isQuota = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === 'v1' && kind === 'ResourceQuota';
  const { selected } = selectForOutput({ entries }, { all: true });
  const quotas = selected.filter(({ object }) => isQuota(object));
  if (quotas.length === 0) return found;
  const placeOf = (object: KubeObject): string => namespaceOf(object) || namespace || 'default';
  const secretOf = (object: KubeObject): InputObject['secret'] =>
    sessions.map((one) => one.secretOf?.(object)).find((found) => found !== undefined);
  const users = selected.map(({ object }) => ({
    object,
    place: placeOf(object),
    usage: usageOf(object),
    secret: secretOf(object),
  }));
  for (const { object: quota, entry } of quotas) {
    if (getAt(quota, ['spec', 'scopes']) !== undefined || getAt(quota, ['spec', 'scopeSelector']) !== undefined)
      continue;
    const rendered = entry.rendered.find(({ object }) => object === quota);
    const input = rendered === undefined ? entry.input : renderedInputs(entry.input)(rendered, secretOf(quota));
    const hard = getAt(quota, ['spec', 'hard']);
    for (const [name, value] of isMap(hard) ? Object.entries(hard) : []) {
      const allowed = amountOf(value);
      const needing = users.filter(({ place, usage }) => place === placeOf(quota) && usage.has(name));
      const needed = needing.reduce((sum, { usage }) => addAmounts(sum, usage.get(name) ?? NONE), NONE);
      if (allowed === undefined || compareAmounts(needed, allowed) <= 0n) continue;
      const isSecret = [...needing.map(({ secret }) => secret), input.secret].some((secret) => secret !== undefined);
      const figures = isSecret
        ? phrase`more than it allows`
        : phrase`${{ amount: shown(textOf(needed, name)) }}, and it allows ${{ limit: shown(String(value)) }}`;
      const titles = needing.map(({ object, secret }) => titleText(object, hiddenTitleOf(secret)));
      const problem: Problem = {
        code: 'quota-exceeded',
        message: phrase`the objects of the package need ${figures}: ${{ objects: shown(enumerated(titles, 5)) }}`,
        path: ['spec', 'hard', name],
        severity: 'warning',
        hint: phrase`change the requests or the number of replicas, or the quota`,
      };
      found.push({ rendered, input, problem });
    }
  }
  return found;
}

const ONE: Amount = { unscaled: 1n, scale: 0, held: 'int64' };
const NONE: Amount = { unscaled: 0n, scale: 0, held: 'int64' };
const amountOf = (value: Value | undefined): Amount | undefined =>
  attempt(() => parseQuantity(String(value)), EvaluationError);
const times = (amount: Amount, count: bigint): Amount => ({ ...amount, unscaled: amount.unscaled * count });

/** Returns an amount as people write it, rounded up to a thousandth. */
function textOf({ unscaled, scale }: Amount, name: string): string {
  const divisor = 10n ** BigInt(Math.max(-3 - scale, 0));
  const milli = (unscaled * 10n ** BigInt(Math.max(scale + 3, 0)) + divisor - 1n) / divisor;
  const units = milli / 1000n;
  if (milli % 1000n !== 0n) return `${milli}m`;
  return /memory|storage/.test(name) && units % 1_048_576n === 0n ? `${units / 1_048_576n}Mi` : String(units);
}

/** The count quotas of core kinds without `count/`. */
const COUNTED = new Set(['services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'replicationcontrollers']);

function usageOf(object: KubeObject): Usage {
  const usage = new Map<string, Amount>();
  const add = (name: string, amount: Amount): void => void usage.set(name, addAmounts(usage.get(name) ?? NONE, amount));
  const { group, kind } = groupVersionKind(object);
  const plural = pluralize(kind.toLowerCase());
  add(`count/${plural}${group === '' ? '' : `.${group}`}`, ONE);
  if (group === '' && COUNTED.has(plural)) add(plural, ONE);
  const storage = plural === 'persistentvolumeclaims' && getAt(object, ['spec', 'resources', 'requests', 'storage']);
  if (storage) add('requests.storage', amountOf(storage) ?? NONE);
  const { pod, count } = podsOf(object, `${kind}.${group}`);
  if (pod === undefined || count === 0n) return usage;
  add('pods', times(ONE, count));
  if (kind !== 'Pod') add('count/pods', times(ONE, count));
  for (const part of ['requests', 'limits'] as const) {
    for (const [name, amount] of resourcesOf(pod, part)) {
      add(`${part}.${name}`, times(amount, count));
      if (part === 'requests') add(name, times(amount, count));
    }
  }
  return usage;
}

/** The field of a kind with the number of its pods. */
const COUNTS: Readonly<Record<string, string>> = {
  'ReplicationController.': 'replicas',
  'ReplicaSet.apps': 'replicas',
  'Deployment.apps': 'replicas',
  'StatefulSet.apps': 'replicas',
  'Job.batch': 'parallelism',
};

/** Returns the spec of the pods of an object, and how many run at once. */
function podsOf(object: KubeObject, kind: string): { pod: Value | undefined; count: bigint } {
  if (kind === 'Pod.') return { pod: object.spec, count: 1n };
  const field = ownValue(COUNTS, kind);
  const count = field === undefined ? 0n : (getAt(object, ['spec', field]) ?? null);
  return { pod: getAt(object, ['spec', 'template', 'spec']), count: typeof count === 'bigint' ? count : 1n };
}

/** Returns what a pod requests or may use: the sum of its containers, or its largest init container if that is more. */
function resourcesOf(pod: Value, kind: 'requests' | 'limits'): Map<string, Amount> {
  const of = (container: Value): [string, Amount][] => {
    const limits = getAt(container, ['resources', 'limits']);
    const own = getAt(container, ['resources', kind]);
    const all = { ...(isMap(limits) ? limits : {}), ...(isMap(own) ? own : {}) };
    return Object.entries(all).map(([name, value]) => [name, amountOf(value) ?? NONE]);
  };
  const sum = new Map<string, Amount>();
  const isSidecar = (one: Value): boolean => get(one, 'restartPolicy') === 'Always';
  const inits = listAt(pod, 'initContainers');
  for (const container of [...listAt(pod, 'containers'), ...inits.filter(isSidecar)]) {
    for (const [name, amount] of of(container)) sum.set(name, addAmounts(sum.get(name) ?? NONE, amount));
  }
  for (const [name, amount] of inits.filter((one) => !isSidecar(one)).flatMap(of)) {
    if (compareAmounts(amount, sum.get(name) ?? NONE) > 0n) sum.set(name, amount);
  }
  return sum;
}
