import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { groupKindOf, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, isMap, listAt, mapOf, textAt, textOf, textsOf, type Value } from '../../../core/model/value.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { Danger } from '../application.ts';
import { ALL_ADDRESSES } from './exposure.ts';

const CODE = 'danger-network-opened';

/** The directions of a NetworkPolicy, with the fields of their rules and peers. */
const DIRECTIONS = [
  { type: 'Ingress', rules: 'ingress', peers: 'from' },
  { type: 'Egress', rules: 'egress', peers: 'to' },
] as const;

const isEmptyMap = (value: Value | undefined): boolean => isMap(value) && Object.keys(value).length === 0;

/** Returns the directions that a policy limits (its default: pkg/apis/networking/v1/defaults.go of Kubernetes). */
function limitedBy(policy: KubeObject): string[] {
  const types = textsOf(getAt(policy, ['spec', 'policyTypes']));
  if (types.length > 0) return types;
  return listAt(get(policy, 'spec'), 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** Returns the name of a peer that is everything, or `undefined` for others. */
function wholeOf(peer: Value): string | undefined {
  const cidr = textOf(getAt(peer, ['ipBlock', 'cidr']));
  if (ALL_ADDRESSES.includes(cidr)) return cidr;
  const pods = get(peer, 'podSelector');
  const isOfAllPods = pods === undefined || isEmptyMap(pods);
  return isEmptyMap(get(peer, 'namespaceSelector')) && isOfAllPods ? 'the pods of all namespaces' : undefined;
}

/** Returns the rules of a policy that allow everything, as texts. */
function openRules(policy: KubeObject): string[] {
  if (groupKindOf(policy) !== 'NetworkPolicy.networking.k8s.io') return [];
  const limited = limitedBy(policy);
  return DIRECTIONS.filter(({ type }) => limited.includes(type)).flatMap(({ rules, peers }) =>
    listAt(get(policy, 'spec'), rules).flatMap((rule) => {
      const listed = listAt(rule, peers);
      const found = listed.length === 0 ? ['anywhere'] : listed.flatMap((peer) => wholeOf(peer) ?? []);
      return found.map((peer) => `${rules} ${peers} ${peer}${portsOf(rule)}`);
    }),
  );
}

function portsOf(rule: Value): string {
  const ports = listAt(rule, 'ports').map((port) => {
    const number = get(port, 'port');
    return number === undefined ? textAt(port, 'protocol') : toJsonText(number);
  });
  return ports.length === 0 ? '' : ` (port ${ports.join(', ')})`;
}

/** The labels that a selector requires by name. */
const labelsOf = (policy: KubeObject): ReadonlyMap<string, Value> =>
  new Map(Object.entries(mapOf(getAt(policy, ['spec', 'podSelector', 'matchLabels']))));

/** Reports whether the newer selector selects the pods of the older one with further labels, and so fewer. */
function selectsFewer(before: KubeObject, after: KubeObject): boolean {
  const expressions = (one: KubeObject): number =>
    listAt(getAt(one, ['spec', 'podSelector']), 'matchExpressions').length;
  const old = labelsOf(before);
  const newer = labelsOf(after);
  const isKept = [...old].every(([key, value]) => newer.get(key) === value);
  const isLonger = newer.size > old.size || expressions(after) > expressions(before);
  return isKept && expressions(after) >= expressions(before) && isLonger;
}

/** Entities of Cilium that are everybody. */
const EVERYBODY: readonly string[] = ['all', 'world'];

/** Returns the rules of a policy of Cilium that allow everything, as texts. */
function openRulesOfCilium(policy: KubeObject): string[] {
  const spec = get(policy, 'spec');
  return ['ingress', 'egress'].flatMap((direction) =>
    listAt(spec, direction).flatMap((rule) => {
      const prefix = direction === 'ingress' ? 'from' : 'to';
      const entities = textsOf(get(rule, `${prefix}Entities`)).filter((one) => EVERYBODY.includes(one));
      const blocks = textsOf(get(rule, `${prefix}CIDR`)).filter((one) => ALL_ADDRESSES.includes(one));
      return [...entities, ...blocks].map((one) => `${direction} ${prefix} ${one}`);
    }),
  );
}

/** The dangers of a policy of the network that allows more than before. */
export function* networkDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  const kind = groupKindOf(after);
  if (/^Cilium(Clusterwide)?NetworkPolicy\.cilium\.io$/.test(kind)) {
    yield* openedBy(openRulesOfCilium(before), openRulesOfCilium(after));
    return;
  }
  if (kind === 'PeerAuthentication.security.istio.io') {
    const was = textOf(getAt(before, ['spec', 'mtls', 'mode']));
    const is = textOf(getAt(after, ['spec', 'mtls', 'mode']));
    if (was === 'STRICT' && is !== was)
      yield {
        code: CODE,
        message: composeText`it no longer requires mutual TLS: STRICT changes to ${trusted.redacted(is || 'nothing')}`,
      };
    return;
  }
  if (kind !== 'NetworkPolicy.networking.k8s.io') return;
  const limited = limitedBy(after);
  for (const type of limitedBy(before)) {
    if (limited.includes(type)) continue;
    yield { code: CODE, message: composeText`it no longer limits ${trusted.definition(type)}` };
  }
  if (selectsFewer(before, after)) yield { code: CODE, message: composeText`it applies to fewer pods than before` };
  yield* openedBy(openRules(before), openRules(after));
}

function* openedBy(before: readonly string[], after: readonly string[]): Iterable<Danger> {
  const opened = after.filter((rule) => !before.includes(rule));
  if (opened.length === 0) return;
  yield { code: CODE, message: composeText`it allows all of ${trusted.redacted(opened.join(', '))}` };
}
