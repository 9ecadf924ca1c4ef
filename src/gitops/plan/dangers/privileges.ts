import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { groupKindOf, type KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listAt, textAt, textsOf, type Value } from '../../../core/model/value.ts';
import type { Danger } from '../application.ts';

/** Where kinds have the spec of a pod. */
const POD_SPECS: readonly (readonly string[])[] = [
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
];

export function podSpecOf(object: KubeObject): Value | undefined {
  if (groupKindOf(object) === 'Pod.') return get(object, 'spec');
  for (const path of POD_SPECS) {
    const spec = getAt(object, path);
    if (spec !== undefined && listAt(spec, 'containers').length > 0) return spec;
  }
  return undefined;
}

const NAMESPACES: readonly string[] = ['hostNetwork', 'hostPID', 'hostIPC'];
const CONTAINERS: readonly string[] = ['containers', 'initContainers', 'ephemeralContainers'];

/** The capabilities that the baseline Pod Security Standard allows. */
const BASELINE: readonly string[] = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** Returns what the pods of an object have of their node, by the baseline Pod Security Standard. */
function privilegesOf(object: KubeObject | undefined): Set<string> {
  const found = new Set<string>();
  const spec = object && podSpecOf(object);
  if (spec === undefined) return found;
  for (const field of NAMESPACES) if (get(spec, field) === true) found.add(field);
  for (const volume of listAt(spec, 'volumes')) {
    const path = textAt(get(volume, 'hostPath'), 'path');
    if (path !== '') found.add(`hostPath ${path}`);
  }
  for (const container of CONTAINERS.flatMap((list) => listAt(spec, list))) {
    const context = get(container, 'securityContext');
    if (get(context, 'privileged') === true) found.add('privileged');
    for (const one of textsOf(getAt(context, ['capabilities', 'add'])))
      if (!BASELINE.includes(one)) found.add(`capability ${one}`);
  }
  return found;
}

const ENFORCED = 'pod-security.kubernetes.io/enforce';
/** The Pod Security Standards; a namespace without one has the first. */
const LEVELS: readonly string[] = ['privileged', 'baseline', 'restricted'];

function* levelDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  if (groupKindOf(after) !== 'Namespace.') return;
  const levelOf = (object: KubeObject): string =>
    textAt(getAt(object, ['metadata', 'labels']), ENFORCED) || 'privileged';
  const [was, is] = [levelOf(before), levelOf(after)];
  if (LEVELS.indexOf(is) >= LEVELS.indexOf(was) || !LEVELS.includes(is)) return;
  const message = composeText`${ENFORCED} goes down from ${trusted.redacted(was)} to ${trusted.redacted(is)}`;
  yield { code: 'danger-privileged', message };
}

/** The dangers of pods that get more of their node than before, and of namespaces that allow it. */
export function* privilegeDangers(before: KubeObject | undefined, after: KubeObject): Iterable<Danger> {
  const old = privilegesOf(before);
  const more = [...privilegesOf(after)].filter((one) => !old.has(one));
  if (more.length > 0) {
    const message = composeText`its pods get more of their node: ${trusted.redacted(more.join(', '))}`;
    yield { code: 'danger-privileged', message };
  }
  if (before !== undefined) yield* levelDangers(before, after);
}
