import table from '../../../../data/kubernetes-forms.json';
import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { isProtectedGroup } from '../../../core/model/names.ts';
import { get, getAt, isMap, listAt, listOf, ownValue, textAt, type Value } from '../../../core/model/value.ts';
import { isCidr } from '../formats/addresses.ts';
import { holds, unique } from './checks.ts';
import { bytesOf, entriesOf } from './resources.ts';
import { type Checks, isEmpty, isSet, missing, type Place, type Rule, refuse, withoutArguments } from './rule.ts';

const decodedBytesOf = (value: Value): number =>
  typeof value === 'string' ? Math.floor((value.replace(/[\s=]/g, '').length * 3) / 4) : 0;
const sizeOf = (value: Value | undefined, size: (value: Value) => number): number =>
  entriesOf(value).reduce((sum, [, one]) => sum + size(one), 0);

const MAX_DATA = 1024 * 1024;
const TOO_LARGE = phrase`Too long: must have at most ${{ limit: shown(MAX_DATA) }} bytes`;

const configMapData: Rule = (object, place) => {
  const data = get(object, 'data');
  const binary = get(object, 'binaryData');
  for (const [key] of entriesOf(binary))
    if (isMap(data) && Object.hasOwn(data, key)) refuse(place, phrase`is also a key of binaryData`, ['data', key]);
  if (sizeOf(data, bytesOf) + sizeOf(binary, decodedBytesOf) > MAX_DATA) refuse(place, TOO_LARGE);
};

const KEYS: Readonly<Record<string, readonly string[]>> = table.secretKeys;
const ACCOUNT = 'kubernetes.io/service-account.name';

/** Keys of stringData override those of data. */
const secretData: Rule = (object, place) => {
  const type = textAt(object, 'type');
  const data = get(object, 'data');
  const plain = get(object, 'stringData');
  const has = (key: string): boolean => [data, plain].some((one) => isMap(one) && Object.hasOwn(one, key));
  const ofType = phrase`in a Secret of the type ${{ type: shown(type) }}`;
  for (const key of ownValue(KEYS, type) ?? []) {
    if (!has(key)) missing(place, ofType, ['data', key]);
    if (type.startsWith('kubernetes.io/dockerc')) checkJson(data, plain, key, place);
  }
  if (type === 'kubernetes.io/basic-auth' && !has('username') && !has('password'))
    missing(place, phrase`must have username or password ${ofType}`, 'data');
  const account = getAt(object, ['metadata', 'annotations', ACCOUNT]);
  if (type === 'kubernetes.io/service-account-token' && (typeof account !== 'string' || account === ''))
    missing(place, ofType, ['metadata', 'annotations', ACCOUNT]);
  const key = 'ssh-privatekey';
  if (type === 'kubernetes.io/ssh-auth' && has(key) && isEmpty(get(plain, key) ?? get(data, key)))
    missing(place, undefined, ['data', key]);
  if (sizeOf(data, decodedBytesOf) + sizeOf(plain, bytesOf) > MAX_DATA) refuse(place, TOO_LARGE, 'data');
};

/** Checks the text of a key of stringData, or of data in base64. */
function checkJson(data: Value | undefined, plain: Value | undefined, key: string, place: Place): void {
  const isPlain = get(plain, key) !== undefined;
  const written = isPlain ? get(plain, key) : get(data, key);
  if (typeof written !== 'string') return;
  const content = isPlain ? written : attempt(() => atob(written.replace(/\s/g, '')), DOMException);
  const value = attempt<unknown>(() => JSON.parse(content ?? '{}'), SyntaxError);
  if (value !== null && !isMap(value))
    refuse(place, phrase`must be a JSON object`, [isPlain ? 'stringData' : 'data', key]);
}

/** Returns a term as the API server compares terms: the set of values of each key. */
function topologyOf(term: Value): string {
  const byKey = listAt(term, 'matchLabelExpressions').map((one): [string, string[]] => [
    textAt(one, 'key'),
    [...new Set(listAt(one, 'values').map(String))].sort(),
  ]);
  return JSON.stringify([...new Map(byKey)].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

const sourceRanges: Rule = (object, place) => {
  const at = ['metadata', 'annotations', SOURCE_RANGES];
  const ranges = getAt(object, at);
  const spec = get(object, 'spec');
  if (typeof ranges !== 'string' || !isMap(spec) || listAt(spec, 'loadBalancerSourceRanges').length > 0) return;
  if (textAt(spec, 'type') !== 'LoadBalancer') refuse(place, phrase`must not be set if type is not "LoadBalancer"`, at);
  if (ranges.trim() !== '' && !ranges.split(',').every((one) => isCidr(one.trim())))
    refuse(place, phrase`must be CIDR blocks`, at);
};

const INGRESS_CLASS = 'kubernetes.io/ingress.class';

const ingressClass: Rule = (object, place) => {
  const name = getAt(object, ['spec', 'ingressClassName']);
  const old = getAt(object, ['metadata', 'annotations', INGRESS_CLASS]);
  if (isSet(name) && isSet(old) && name !== old)
    refuse(place, phrase`must not differ from the annotation ${{ annotation: shown(INGRESS_CLASS) }}`, [
      'spec',
      'ingressClassName',
    ]);
};

const FORBIDDEN = ['//', '/./', '/../', '%2f', '%2F'];

const ingressPath: Rule = (one, place) => {
  const path = textAt(one, 'path');
  const isExact = ['Exact', 'Prefix'].includes(textAt(one, 'pathType'));
  if (!path.startsWith('/') && (isExact || path !== '')) refuse(place, phrase`must be an absolute path`, 'path');
  else if (isExact && FORBIDDEN.some((part) => path.includes(part)))
    refuse(place, phrase`must not contain ${{ value: shown(FORBIDDEN.join(', ')) }}`, 'path');
  else if (isExact && /\/\.\.?$/.test(path)) refuse(place, phrase`must not end with /. or /..`, 'path');
};

/** Returns the bits of the prefix of an IPv4 block; others are not compared. */
function prefixOf(block: string): string | undefined {
  const [address = '', length = ''] = block.split('/');
  if (!isCidr(block) || address.includes(':')) return undefined;
  const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return bits.join('').slice(0, Number(length));
}

const insideCidr: Rule = (blocks, place, owner) => {
  const outer = prefixOf(textAt(owner, 'cidr'));
  for (const [index, one] of listOf(blocks).entries()) {
    const inner = typeof one === 'string' ? prefixOf(one) : undefined;
    if (outer === undefined || inner === undefined) continue;
    if (inner.length <= outer.length || !inner.startsWith(outer)) refuse(place, phrase`must be a part of cidr`, index);
  }
};

const APPROVED = 'api-approved.kubernetes.io';

const crdName: Rule = (object, place) => {
  const group = textAt(get(object, 'spec'), 'group');
  const plural = textAt(getAt(object, ['spec', 'names']), 'plural');
  const name = textAt(get(object, 'metadata'), 'name');
  if (group === '' || plural === '' || name === '') return;
  if (name !== `${plural}.${group}`)
    refuse(place, phrase`must be spec.names.plural and spec.group: ${{ expected: `${plural}.${group}` }}`, [
      'metadata',
      'name',
    ]);
  const at = ['metadata', 'annotations', APPROVED];
  const approval = getAt(object, at);
  if (isProtectedGroup(group) && !/^(?:unapproved|[a-z][a-z\d+.-]*:\/\/[^/])/i.test(String(approval ?? '')))
    missing(place, phrase`must be a URL, or start with 'unapproved', for a group of Kubernetes`, at);
};

/** A wildcard of an admission rule excludes what it includes: `*` other resources, `pods/*` the parts of pods. */
const ruleResources: Rule = (value, place) => {
  const names = listOf(value).map(String);
  const covers = (one: string, other: string): boolean => {
    const [resource, part] = one.split('/');
    const [ofOther, otherPart] = other.split('/');
    if (one === '*/*') return true;
    if (one === '*') return otherPart === undefined;
    if (part === undefined || otherPart === undefined) return false;
    return part === '*' ? resource === ofOther : resource === '*' && part === otherPart;
  };
  for (const [index, one] of names.entries()) {
    const by = names.find((other, at) => at !== index && covers(other, one));
    if (by !== undefined) refuse(place, phrase`must not be combined with ${by}`, index);
  }
};

/** k8s.io/apimachinery/pkg/api/validation, validateOwnerReference, besides empty fields. */
const owner: Rule = (value, place) => {
  const apiVersion = textAt(value, 'apiVersion');
  const [version, group = '', ...rest] = apiVersion.split('/').reverse();
  if (apiVersion === '') return;
  if (version === '' || rest.length > 0) refuse(place, phrase`must have an apiVersion with a version`);
  else if (group === '' && version === 'v1' && textAt(value, 'kind') === 'Event')
    refuse(place, phrase`must not be an Event`);
};

const MAX_ANNOTATIONS = 256 * 1024;

export const kinds: Checks = {
  ...withoutArguments({
    configMapData,
    secretData,
    ruleResources,
    sourceRanges,
    ingressClass,
    ingressPath,
    insideCidr,
    crdName,
    owner,
  }),
  distinctTopologies: () => unique(topologyOf, ['matchLabelExpressions']),
  namedIfMany: () => (ports, place) => {
    for (const [index, one] of (Array.isArray(ports) && ports.length > 1 ? ports : []).entries())
      if (textAt(one, 'name') === '') missing(place, phrase`there is more than one port`, [index, 'name']);
  },
  endPort: () =>
    holds(
      (_, owner) => typeof get(owner, 'port') === 'bigint',
      phrase`may only be set together with a port that is a number`,
    ),
  scalesToZero: () => (spec, place) => {
    const types = listAt(spec, 'metrics').map((one) => textAt(one, 'type'));
    if (get(spec, 'minReplicas') === 0n && !types.includes('Object') && !types.includes('External'))
      refuse(place, phrase`may only be 0 with an Object or External metric`, 'minReplicas');
  },
  storedVersion: () =>
    holds(
      (value) => !Array.isArray(value) || value.filter((one) => get(one, 'storage') === true).length === 1,
      phrase`must have exactly one version with storage: true`,
    ),
  annotationBytes: () =>
    holds(
      (value) => entriesOf(value).reduce((sum, [key, one]) => sum + bytesOf(key) + bytesOf(one), 0) <= MAX_ANNOTATIONS,
      phrase`Too long: must have at most ${{ limit: shown(MAX_ANNOTATIONS) }} bytes`,
    ),
  oneController: () =>
    holds(
      (owners) => !Array.isArray(owners) || owners.filter((one) => get(one, 'controller') === true).length < 2,
      phrase`must have at most one controller`,
    ),
};
