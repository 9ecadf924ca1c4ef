import type { Fates } from './history.ts';

interface Identity {
  kind: string;
  namespace: string;
  name: string;
}

interface Fate {
  word: string;
  why: string;
  may?: true;
}

/** What of the JSON of a plan is read here. */
export interface PlanJson {
  applications: {
    kind: string;
    name: string;
    error?: string;
    added: Identity[];
    removed: Identity[];
    outcomes?: (Fate & { object: Identity })[];
  }[];
  dangers: { object: Identity | null; takeover?: { loss: 'may' | 'happens' } }[];
}

/** What a plan says about an object of the older version. `later` is what waits for a person. */
type Claim = 'happens' | 'later' | 'may' | 'may later' | 'does not' | 'not compared';

const keyOf = ({ kind, namespace, name }: Identity): string => `${kind} ${namespace}/${name}`;

/** Returns what a plan says about objects. */
function claimsOf({ applications, dangers }: PlanJson, keys: readonly string[]): Map<string, Claim> {
  const isUnknown = applications.some(({ error }) => error !== undefined);
  const removed = new Map<string, Fate[]>();
  const added = new Set<string>();
  for (const one of applications) {
    for (const object of one.added) added.add(keyOf(object));
    for (const object of one.removed) {
      const found = one.outcomes?.find((outcome) => keyOf(outcome.object) === keyOf(object));
      const fates = removed.get(keyOf(object)) ?? [];
      fates.push(found ?? { word: 'deleted', why: '' });
      removed.set(keyOf(object), fates);
    }
  }
  return new Map(
    keys.map((key): [string, Claim] => {
      if (isUnknown) return [key, 'not compared'];
      const [fate] = removed.get(key) ?? [];
      if (fate === undefined || fate.word !== 'deleted') return [key, 'does not'];
      if (added.has(key)) {
        const danger = dangers.find((one) => one.takeover && one.object !== null && keyOf(one.object) === key);
        if (danger === undefined) return [key, 'does not'];
        const isSure = danger.takeover?.loss === 'happens';
        // After a confirmation.
        if (fate.why !== '' && fate.may !== true) return [key, isSure ? 'later' : 'may later'];
        return [key, isSure ? 'happens' : 'may'];
      }
      if (fate.may === true) return [key, 'may'];
      return [key, fate.why === '' ? 'happens' : 'later'];
    }),
  );
}

/** Returns what every order, or one of them, does with an object. */
function observed(orders: readonly Fates[], key: string): { now: Claim; later: Claim } {
  const count = (field: 'deleted' | 'deletedLater'): Claim => {
    const found = orders.filter((order) => order[key]?.[field]).length;
    if (found === orders.length) return 'happens';
    return found === 0 ? 'does not' : 'may';
  };
  return { now: count('deleted'), later: count('deletedLater') };
}

/** What declares applications is judged by what becomes of their objects. */
const DECLARING: readonly string[] = ['Application', 'ApplicationSet', 'Kustomization', 'GitRepository'];

/** Returns the differences between a plan and what the controllers do. */
export function differencesOf(plan: PlanJson, orders: readonly Fates[], taken: (key: string) => boolean): string[] {
  const keys = Object.keys(orders[0] ?? {}).filter((key) => !DECLARING.includes(key.slice(0, key.indexOf(' '))));
  const claims = claimsOf(plan, keys);
  return keys.flatMap((key) => {
    const claim = claims.get(key);
    const { now, later } = observed(orders, key);
    if (claim === 'not compared') return [];
    // Whether a person syncs first what takes an object over is not decided.
    const isRight =
      claim === 'later' || claim === 'may later'
        ? now === 'does not' && (claim === 'may later' || later === 'happens')
        : taken(key)
          ? now === claim
          : now === claim || (claim === 'happens' && later === claim);
    const isLeft = claim !== 'does not' || taken(key) || later === 'does not';
    return isRight && isLeft ? [] : [`${key}: plan says ${claim}, controllers ${now}, with people ${later}`];
  });
}
