import protections from '../../../../data/protections.json';
import { type Permission, PermissionSet, permissionsOf } from '../../../check/rbac/index.ts';
import type { ObjectChange } from '../../../compare/diff/index.ts';
import { composeText, type Text, trusted } from '../../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import {
  equal,
  get,
  getAt,
  isMap,
  listAt,
  ownValue,
  textAt,
  textOf,
  textsOf,
  type Value,
} from '../../../core/model/value.ts';
import { isSmallerQuantity } from '../../../kubernetes/update/index.ts';
import type { Danger, ImageChange } from '../application.ts';
import { plainDangers, publicDangers } from './exposure.ts';
import { coversHost, hostsOf } from './hosts.ts';
import { privilegeDangers } from './privileges.ts';
import { networkDangers } from './traffic.ts';
import { webhookDangers } from './webhooks.ts';

/** Reports whether something else in the cluster serves a host. */
type ServedTest = (host: string) => boolean;

const servedByNothing: ServedTest = () => false;

/** The dangers in the fields of an object, without its title: without `before` it is added, without `after` deleted. */
export function* fieldDangers(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  isServed: ServedTest = servedByNothing,
): Iterable<Danger> {
  if (after === undefined) {
    if (before !== undefined) yield* lostFor(before, undefined, isServed);
    return;
  }
  yield* accessDangers(before, after);
  yield* privilegeDangers(before, after);
  yield* webhookDangers(before, after);
  if (before === undefined) return;
  yield* imageDangers(before, after);
  yield* publicDangers(before, after);
  yield* plainDangers(before, after);
  yield* networkDangers(before, after);
  yield* replicaDangers(before, after);
  yield* lostFor(before, after, isServed);
  yield* volumeDangers(before, after);
}

function* replicaDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  const was = getAt(before, ['spec', 'replicas']) ?? null;
  const is = getAt(after, ['spec', 'replicas']);
  const isZero = is !== undefined && is !== null && Number(is) === 0 && (was === null || Number(was) > 0);
  if (isZero && getAt(after, ['spec', 'template']) !== undefined) {
    const message = composeText`spec.replicas changes from ${trusted.redacted(was ?? 1n)} to 0`;
    yield { code: 'danger-no-replicas', message };
  }
  // An API server takes null as the default of 1. It usually comes from a variable without a value.
  if (is === null && was !== null && Number(was) > 1) {
    const message = composeText`spec.replicas changes from ${trusted.redacted(was)} to null, which an API server takes as 1`;
    yield { code: 'danger-no-replicas', message };
  }
}

/** API servers reject a claim of less storage. */
function* volumeDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  if (after.kind !== 'PersistentVolumeClaim') return;
  const path = ['spec', 'resources', 'requests', 'storage'];
  const size = getAt(before, path) ?? null;
  const newSize = getAt(after, path) ?? null;
  if (!isSmallerQuantity(newSize, size)) return;
  const message = composeText`the requested storage falls from ${trusted.redacted(size)} to ${trusted.redacted(newSize)}`;
  yield { code: 'danger-volume-smaller', message };
}

function* lostFor(before: KubeObject, after: KubeObject | undefined, isServed: ServedTest): Iterable<Danger> {
  const hosts = after === undefined ? [] : hostsOf(after);
  for (const host of new Set(hostsOf(before))) {
    if (hosts.some((one) => coversHost(one, host)) || isServed(host)) continue;
    yield { code: 'danger-host-removed', message: composeText`the host ${trusted.redacted(host)} is no longer served` };
  }
  if (isBalanced(before) && (after === undefined || !isBalanced(after)))
    yield { code: 'danger-address-removed', message: composeText`the load balancer and its address are released` };
}

const isBalanced = (object: KubeObject): boolean =>
  object.kind === 'Service' && getAt(object, ['spec', 'type']) === 'LoadBalancer';

/** Kinds without which more is allowed than before, by `Kind.group`. */
const PROTECTIONS: Readonly<Record<string, string>> = protections;

export const protectionOf = (object: KubeObject): string | undefined =>
  ownValue(PROTECTIONS, groupKind(groupVersionKind(object)));

const GROUP = 'rbac.authorization.k8s.io';

function accessDangers(before: KubeObject | undefined, after: KubeObject): Danger[] {
  const { group, kind } = groupVersionKind(after);
  const messages =
    group !== GROUP ? [] : /^(Cluster)?Role$/.test(kind) ? wider(before, after) : bound(kind, before, after);
  return messages.map((message) => ({ code: 'danger-access-wider', message }));
}

function bound(kind: string, before: KubeObject | undefined, after: KubeObject): Text[] {
  if (!/^(Cluster)?RoleBinding$/.test(kind)) return [];
  const role = textOf(getAt(after, ['roleRef', 'name']));
  if (before === undefined) return boundAnew(role, after);
  const known = new Set(subjectsOf(before));
  return subjectsOf(after)
    .filter((subject) => !known.has(subject))
    .map((one) => composeText`${trusted.redacted(one)} gets the permissions of ${trusted.redacted(role)}`);
}

/** Subjects that are everybody, or every pod without an account of its own. */
const EVERYBODY: readonly string[] = [
  'Group system:authenticated',
  'Group system:unauthenticated',
  'Group system:serviceaccounts',
  'User system:anonymous',
];

function boundAnew(role: string, after: KubeObject): Text[] {
  const found: Text[] = role === 'cluster-admin' ? [composeText`it binds subjects to cluster-admin`] : [];
  for (const subject of subjectsOf(after)) {
    const isDefault = /^ServiceAccount .*\bdefault$/.test(subject) && subject.split(' ').at(-1) === 'default';
    if (isDefault || EVERYBODY.some((one) => subject === one || subject.startsWith(`${one}:`)))
      found.push(composeText`${trusted.redacted(subject)} gets the permissions of ${trusted.redacted(role)}`);
  }
  return found;
}

const subjectsOf = (binding: KubeObject): string[] =>
  listAt(binding, 'subjects').map((subject) =>
    [textAt(subject, 'kind'), textAt(subject, 'namespace'), textAt(subject, 'name')].filter(Boolean).join(' '),
  );

function wider(before: KubeObject | undefined, after: KubeObject): Text[] {
  if (before === undefined) return widerAnew(after);
  const [old, newer] = [permissionsOf(before.rules), permissionsOf(after.rules)];
  if (old === undefined || newer === undefined) {
    const isSame = equal(before.rules ?? null, after.rules ?? null);
    return isSame ? [] : [composeText`it has so many permissions that they are not compared`];
  }
  const allowed = new PermissionSet(old);
  const more = newer.filter((one) => !allowed.includes(one));
  const found: Text[] = [];
  if (more.length > 0) found.push(composeText`it allows more than before: ${trusted.redacted(shown(more))}`);
  const known = aggregatesOf(before);
  for (const target of aggregatesOf(after)) {
    if (!known.includes(target)) found.push(composeText`it adds its rules to the role ${trusted.redacted(target)}`);
  }
  return found;
}

/** Returns the roles that get the rules of a role, by its labels. */
function aggregatesOf(role: KubeObject): string[] {
  const labels = getAt(role, ['metadata', 'labels']);
  const prefix = `${GROUP}/aggregate-to-`;
  return Object.entries(isMap(labels) ? labels : {}).flatMap(([key, value]) =>
    key.startsWith(prefix) && value === 'true' ? [key.slice(prefix.length)] : [],
  );
}

/** Verbs with which somebody gets the permissions of others. */
const ESCALATING: readonly string[] = ['bind', 'escalate', 'impersonate'];

/** What a new role allows that few roles should: everything, the permissions of others, Secrets for many. */
function widerAnew(role: KubeObject): Text[] {
  const rules = listAt(role, 'rules');
  const has = (rule: Value, field: string, ...names: string[]): boolean =>
    textsOf(get(rule, field)).some((one) => names.includes(one));
  const ofEverything = rules.filter((rule) => has(rule, 'resources', '*') && has(rule, 'apiGroups', '*', ''));
  if (ofEverything.some((rule) => has(rule, 'verbs', '*')))
    return [composeText`it allows every verb on every resource`];
  const found: Text[] = [];
  const verbs = new Set(
    rules.flatMap((rule) => textsOf(get(rule, 'verbs'))).filter((verb) => ESCALATING.includes(verb)),
  );
  if (verbs.size > 0) found.push(composeText`it allows to ${trusted.definition([...verbs].join(', '))}`);
  const wide = new Set(ofEverything.flatMap((rule) => textsOf(get(rule, 'verbs'))));
  if (wide.size > 0)
    found.push(composeText`it allows ${trusted.redacted([...wide].join(', '))} on every resource, also Secrets`);
  const ofSecrets = rules.filter((rule) => has(rule, 'resources', 'secrets', '*') && has(rule, 'apiGroups', '*', ''));
  if (ofSecrets.some((rule) => has(rule, 'verbs', '*') && !has(rule, 'resources', '*')))
    found.push(composeText`it allows every verb on Secrets`);
  if (ofSecrets.length > 0) {
    for (const target of aggregatesOf(role))
      found.push(composeText`it adds Secrets to the role ${trusted.redacted(target)}`);
  }
  return found;
}

const MOST_SHOWN = 3;

function shown(permissions: readonly Permission[]): string {
  const texts = new Set(permissions.map(({ group, resource, verb }) => `${verb} ${resource}${group && `.${group}`}`));
  const more = texts.size - MOST_SHOWN;
  return `${[...texts].slice(0, MOST_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

/** Returns the images of all containers in a redacted object, by the path of the list and the name of the container. */
export function imagesIn(value: Value, path = '', images = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) value.forEach((item, index) => void imagesIn(item, `${path}[${index}]`, images));
  if (!isMap(value)) return images;
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!LISTS.includes(key) || !Array.isArray(item)) {
      imagesIn(item, at, images);
      continue;
    }
    for (const container of item) {
      const name = get(container, 'name');
      const image = get(container, 'image');
      if (typeof name === 'string' && typeof image === 'string') images.set(`${at}[${name}]`, image);
    }
  }
  return images;
}

interface Image {
  repository: string;
  tag: string;
  hasDigest: boolean;
}

function parseImage(image: string): Image {
  const [named = '', digest] = image.split('@');
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  return {
    repository: hasTag ? named.slice(0, colon) : named,
    tag: hasTag ? named.slice(colon + 1) : '',
    hasDigest: digest !== undefined,
  };
}

function* imageDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  const old = imagesIn(before);
  for (const [path, image] of imagesIn(after)) {
    const earlier = old.get(path);
    if (earlier === undefined || earlier === image) continue;
    const was = parseImage(earlier);
    const is = parseImage(image);
    const at = trusted.redacted(path);
    const from = trusted.redacted(earlier);
    const to = trusted.redacted(image);
    if (isLatest(is) && !isLatest(was)) {
      const message = composeText`${at} changes from ${from} to ${to}, which can be any version`;
      yield { code: 'danger-image-latest', message };
    } else if (was.repository === is.repository && compareVersions(is.tag, was.tag) < 0)
      yield { code: 'danger-image-older', message: composeText`${at} goes back from ${from} to ${to}` };
  }
}

const isFloating = (image: string | undefined): boolean => image !== undefined && isLatest(parseImage(image));

const isLatest = ({ tag, hasDigest }: Image): boolean => !hasDigest && (tag === '' || tag === 'latest');

const VERSION = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/;

/** Compares versions, 0 if a tag is none; one with a suffix comes before the same one without. */
function compareVersions(one: string, two: string): number {
  const a = VERSION.exec(one);
  const b = VERSION.exec(two);
  if (a === null || b === null) return 0;
  const [x, y] = [a, b].map((match) => (match[1] ?? '').split('.').map(BigInt)) as [bigint[], bigint[]];
  for (let at = 0; at < Math.max(x.length, y.length); at += 1) {
    const difference = (x[at] ?? 0n) - (y[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  const suffix = a[2] ?? '';
  const other = b[2] ?? '';
  const isEarly = (text: string): boolean => /^(alpha|beta|rc|pre)/i.test(text);
  if (suffix === '') return isEarly(other) ? 1 : 0;
  return other === '' && isEarly(suffix) ? -1 : 0;
}

/** Collects the changes of images. */
export interface Images {
  add(change: ObjectChange): void;
  all(): ImageChange[];
}

export function createImages(): Images {
  const known = new Map<string, ImageChange>();
  const count = (from: string | undefined, to: string | undefined): void => {
    if (from === to) return;
    const key = JSON.stringify([from, to]);
    const one = known.get(key) ?? { ...(from && { from }), ...(to && { to }), isFloating: isFloating(to), count: 0 };
    known.set(key, { ...one, count: one.count + 1 });
  };
  return {
    add: ({ shown }) => {
      const [old, newer] = [shown.before, shown.after].map((side) => imagesIn(side ?? null)) as [
        Map<string, string>,
        Map<string, string>,
      ];
      for (const [path, image] of old) count(image, newer.get(path));
      for (const [path, image] of newer) if (!old.has(path)) count(undefined, image);
    },
    // Removed images come first, then changed ones.
    all: () => {
      const rank = ({ from, to }: ImageChange): number => (to === undefined ? 0 : from === undefined ? 2 : 1);
      const name = ({ from, to }: ImageChange): string => from ?? to ?? '';
      return [...known.values()].sort((a, b) => rank(a) - rank(b) || (name(a) < name(b) ? -1 : 1));
    },
  };
}
