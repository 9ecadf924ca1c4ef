import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { getAt, isMap, type Value } from '../../src/core/model/value.ts';
import type { Api } from './control-plane/api.ts';
import { failure, messageOf } from './dry-run.ts';

/** Why a CRD is not served. */
export interface Unserved {
  reason: string;
  /** The API server has decided. Otherwise it had not decided when nothing changed any more. */
  isFinal: boolean;
}

interface WaitPolicy {
  poll?: number;
  /** How long to wait without a change until an undecided CRD is given up, in milliseconds. */
  longest?: number;
  now?: () => number;
}

/** Creates CRDs and waits until all valid ones are served; returns the others, by name. */
export async function serveCrds(
  api: Pick<Api, 'create' | 'read' | 'knows'>,
  crds: readonly KubeObject[],
  { poll = 1_000, longest = 600_000, now = Date.now }: WaitPolicy = {},
): Promise<Map<string, Unserved>> {
  const unserved = new Map<string, Unserved>();
  let open: KubeObject[] = [];
  for (const crd of crds) {
    const answer = await api.create(crd).catch(failure);
    if (answer.status < 400 || answer.status === 409) open.push(crd);
    else unserved.set(nameOf(crd), { reason: messageOf(answer), isFinal: true });
  }
  for (let [seen, since] = ['', now()]; open.length > 0; ) {
    const states = await Promise.all(open.map(async (crd) => ({ crd, ...(await stateOf(api, crd)) })));
    for (const { crd, state, reason } of states) {
      if (state === 'refused') unserved.set(nameOf(crd), { reason, isFinal: true });
    }
    const left = states.filter(({ state }) => state === 'open');
    open = left.map(({ crd }) => crd);
    const gist = left.map(({ crd, reason }) => `${nameOf(crd)}: ${reason}`).join('\n');
    if (gist !== seen) [seen, since] = [gist, now()];
    else if (now() - since >= longest) {
      for (const { crd, reason } of left) unserved.set(nameOf(crd), { reason, isFinal: false });
      return unserved;
    }
    if (open.length > 0) await new Promise((done) => setTimeout(done, poll));
  }
  return unserved;
}

interface State {
  state: 'served' | 'refused' | 'open';
  reason: string;
}

async function stateOf(api: Pick<Api, 'read' | 'knows'>, crd: KubeObject): Promise<State> {
  const answer = await api.read(crd).catch(failure);
  if (answer.status !== 200) return { state: 'open', reason: messageOf(answer) };
  const found = getAt(answer.body, ['status', 'conditions']);
  const conditions = Array.isArray(found) ? found : [];
  const is = (type: string, status: string): boolean =>
    conditions.some((one) => getAt(one, ['type']) === type && getAt(one, ['status']) === status);
  const reason = conditions.map(textOf).join('; ') || 'it has no conditions yet';
  // Another CRD of the group owns the name.
  if (is('NamesAccepted', 'False')) return { state: 'refused', reason };
  if (!is('Established', 'True')) return { state: 'open', reason };
  const known = await Promise.all(kindsOf(crd).map((kind) => api.knows(kind).catch(() => false)));
  return known.every(Boolean) ? { state: 'served', reason } : { state: 'open', reason: `not listed yet; ${reason}` };
}

function textOf(condition: Value): string {
  const text = (key: string): string => String(getAt(condition, [key]) ?? '');
  return `${text('type')}=${text('status')} ${text('reason')}: ${text('message')}`;
}

/** An object for each version that a CRD says is served. */
function kindsOf(crd: KubeObject): KubeObject[] {
  const group = getAt(crd, ['spec', 'group']);
  const kind = String(getAt(crd, ['spec', 'names', 'kind']));
  const versions = getAt(crd, ['spec', 'versions']);
  return (Array.isArray(versions) ? versions : [])
    .filter(isMap)
    .filter(({ served }) => served === true)
    .map(({ name }) => ({ apiVersion: `${group}/${name}`, kind, metadata: {} }));
}
