import table from '../../../../data/kubernetes-forms.json';
import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { matches, parseSelector } from '../../../core/model/label-selector.ts';
import { isLabelKey } from '../../../core/model/names.ts';
import { get, getAt, isMap, listAt, listOf, ownValue, textAt, type Value } from '../../../core/model/value.ts';
import { holds, unique } from './checks.ts';
import { type Checks, missing, type Place, type Pod, type Rule, refuse, withoutArguments } from './rule.ts';

const namesIn = (value: Value | undefined, ...lists: readonly string[]): string[] =>
  lists.flatMap((list) => listAt(value, list)).map((one) => textAt(one, 'name'));

function podOf(spec: Value | undefined, claims: readonly string[]): Pod | undefined {
  if (!isMap(spec)) return undefined;
  const volumes = new Map(listAt(spec, 'volumes').map((volume) => [textAt(volume, 'name'), volume]));
  for (const name of claims) volumes.set(name, { persistentVolumeClaim: { claimName: name } });
  return { spec, volumes };
}

function checkPod(spec: Value | undefined, place: Place, claims: readonly string[] = []): void {
  const around = place.pod;
  place.pod = podOf(spec, claims);
  if (place.pod !== undefined) place.named('PodSpec')?.(spec, place, null);
  place.pod = around;
}

/** Host names, and volumes of the same name, come from the controller. */
function checkStatefulPod(spec: Value | undefined, place: Place): void {
  const pod = getAt(spec, ['template', 'spec']);
  if (!isMap(get(spec, 'template'))) return;
  place.path.push('template');
  if (isMap(pod)) {
    const { hostname: _, subdomain: __, ...rest } = pod;
    const claims = listAt(spec, 'volumeClaimTemplates').map((one) => textAt(get(one, 'metadata'), 'name'));
    place.path.push('spec');
    checkPod(rest, place, claims);
    place.path.pop();
  } else missing(place, undefined, 'spec');
  place.path.push('metadata');
  place.named('Metadata')?.(getAt(spec, ['template', 'metadata']), place, null);
  place.path.length -= 2;
}

const selectsItsPods: Rule = (spec, place) => {
  const selector = get(spec, 'selector');
  if (!isMap(selector)) return;
  const labels = getAt(spec, ['template', 'metadata', 'labels']);
  const isNothing = ['matchLabels', 'matchExpressions'].every(
    (key) => Object.keys(ownValue(selector, key) ?? {}).length === 0,
  );
  if (isNothing) refuse(place, phrase`must not be empty`, 'selector');
  // Errors in the selector are reported elsewhere.
  if (!matches(parseSelector(selector).selector, isMap(labels) ? labels : {}))
    refuse(place, phrase`must have the labels of the selector`, ['template', 'metadata', 'labels']);
};

/** Rules of a `podFailurePolicy` that depend on the rest of a Job. */
const failurePolicy: Rule = (spec, place) => {
  const containers = namesIn(getAt(spec, ['template', 'spec']), 'containers', 'initContainers');
  for (const [index, rule] of listAt(get(spec, 'podFailurePolicy'), 'rules').entries()) {
    const at = ['podFailurePolicy', 'rules', index];
    const name = getAt(rule, ['onExitCodes', 'containerName']);
    if (typeof name === 'string' && !containers.includes(name))
      refuse(place, phrase`must be the name of a container of the template`, [...at, 'onExitCodes', 'containerName']);
    if (textAt(rule, 'action') === 'FailIndex' && (get(spec, 'backoffLimitPerIndex') ?? null) === null)
      refuse(place, phrase`needs backoffLimitPerIndex`, [...at, 'action']);
  }
};

/** Two ports of a pod cannot share a port of its node. */
const distinctHostPorts: Rule = (containers, place) => {
  const seen = new Set<string>();
  for (const [index, container] of listOf(containers).entries()) {
    for (const [at, one] of listAt(container, 'ports').entries()) {
      const number = get(one, 'hostPort');
      if (typeof number !== 'bigint' || number === 0n) continue;
      const key = `${textAt(one, 'protocol') || 'TCP'}/${textAt(one, 'hostIP')}/${number}`;
      if (seen.has(key)) refuse(place, phrase`Duplicate value`, [index, 'ports', at, 'hostPort']);
      seen.add(key);
    }
  }
};

const mounts: Rule = (container, place) => {
  const devices = new Set(namesIn(container, 'volumeDevices'));
  const isPrivileged = getAt(container, ['securityContext', 'privileged']) === true;
  for (const [index, mount] of listAt(container, 'volumeMounts').entries()) {
    const at = ['volumeMounts', index];
    if (devices.has(textAt(mount, 'name'))) refuse(place, phrase`must not be in volumeDevices too`, [...at, 'name']);
    if (textAt(mount, 'mountPropagation') === 'Bidirectional' && !isPrivileged)
      refuse(place, phrase`may only be Bidirectional for a privileged container`, [...at, 'mountPropagation']);
  }
};

const LISTED = ['secret', 'configMap', 'downwardAPI'];
const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];

/** Rejects a path that two sources of a volume write; the API server does not compare that of a token. */
const distinctPaths: Rule = (sources, place) => {
  const paths = listOf(sources).flatMap((source) => [
    ...LISTED.flatMap((key) => listAt(get(source, key), 'items').map((item) => textAt(item, 'path'))),
    textAt(get(source, 'clusterTrustBundle'), 'path'),
    ...CERTIFICATE_PATHS.map((key) => textAt(get(source, 'podCertificate'), key)),
  ]);
  const repeated = paths.find((path, index) => path !== '' && paths.indexOf(path) !== index);
  if (repeated !== undefined) refuse(place, phrase`writes the path '${{ value: repeated }}' twice`);
};

const PATHS = table.podFields;

/** A field of the pod itself (pkg/apis/core/pods, ConvertDownwardAPIFieldLabel). */
const fieldPath = (where: keyof typeof PATHS): Rule =>
  holds(
    (path) => {
      if (typeof path !== 'string' || path === '') return true;
      const [, field = '', key = ''] = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(path) ?? [];
      return field === ''
        ? PATHS[where].includes(path)
        : isLabelKey(field.endsWith('annotations') ? key.toLowerCase() : key);
    },
    phrase`must be one of ${{ expected: shown(PATHS[where].join(', ')) }}, metadata.labels['KEY'] or metadata.annotations['KEY']`,
  );

const DEFAULT_GRACE = 30n;
const DEFAULT_DEADLINE = 600n;

/** Requirements for pods and what creates them (pkg/apis/core/validation, apps and batch). */
export const pods: Checks = {
  ...withoutArguments({ selectsItsPods, failurePolicy, distinctHostPorts, mounts, distinctPaths }),
  podSpec: () => (spec, place) => checkPod(spec, place),
  statefulTemplate: () => (spec, place) => checkStatefulPod(spec, place),
  deadline: () => (spec, place) => {
    const ready = get(spec, 'minReadySeconds');
    const declared = get(spec, 'progressDeadlineSeconds');
    const deadline = declared === undefined ? DEFAULT_DEADLINE : declared;
    if (typeof deadline === 'bigint' && deadline <= (typeof ready === 'bigint' ? ready : 0n))
      refuse(place, phrase`must be greater than minReadySeconds`, 'progressDeadlineSeconds');
  },
  ascending: () =>
    holds((values) => {
      const codes = Array.isArray(values) ? values.filter((one) => typeof one === 'bigint') : [];
      return codes.every((one, index) => index === 0 || one > (codes[index - 1] as bigint));
    }, phrase`must be in order and without duplicates`),
  distinctNames: () => (spec, place) => {
    const names = new Set(namesIn(spec, 'containers'));
    for (const [index, name] of namesIn(spec, 'initContainers').entries())
      if (name !== '' && names.has(name)) refuse(place, phrase`Duplicate value`, ['initContainers', index, 'name']);
  },
  podVolume: () => (name, place) => {
    if (typeof name === 'string' && name !== '' && place.pod?.volumes.has(name) === false)
      refuse(place, phrase`Not found: the pod has no such volume`);
  },
  blockVolume: () => (name, place) => {
    const volume = typeof name === 'string' ? place.pod?.volumes.get(name) : undefined;
    const claims = [get(volume, 'persistentVolumeClaim'), get(volume, 'ephemeral')];
    if (volume !== undefined && claims.every((claim) => claim === undefined))
      refuse(place, phrase`must be a volume of a PersistentVolumeClaim`);
  },
  podClaim: () => (name, place) => {
    if (!namesIn(place.pod?.spec, 'resourceClaims').includes(typeof name === 'string' ? name : ''))
      refuse(place, phrase`must be one of resourceClaims`);
  },
  sleep: () => (seconds, place) => {
    const most = place.pod?.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
    if (typeof seconds === 'bigint' && (seconds < 0n || (typeof most === 'bigint' && seconds > most)))
      refuse(place, phrase`must be between 0 and terminationGracePeriodSeconds`);
  },
  uniqueSysctls: () => unique((one) => textAt(one, 'name').replaceAll('/', '.') || undefined, ['name']),
  environmentPath: () => fieldPath('environment'),
  volumePath: () => fieldPath('volume'),
};
