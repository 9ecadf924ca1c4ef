import { annotationOf, namespaceOf } from '../../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listAt,
  textAt,
  textOf,
  textsOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { withoutTrailing } from '../../../core/text/ends.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { Deployment, Fate, IgnoreRule } from '../application.ts';
import { MANUAL_PRUNE } from '../fates.ts';
import { pointerOfJq } from '../ignored.ts';
import { optionIn } from '../sync-options.ts';

const settingsAt = (object: ValueMap, paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const value = getAt(object, path.split('.'));
      return value === undefined || value === null ? [] : [[path, toJsonText(value)]];
    }),
  );

const fate = (word: Fate['word'], why: string): Fate => ({ word, why });

export function argocdDeployment(application: ValueMap, set: ValueMap | undefined): Deployment {
  const spec = get(application, 'spec');
  const destination = get(spec, 'destination');
  const options = textsOf(getAt(spec, ['syncPolicy', 'syncOptions']));
  const finalizers = textsOf(getAt(application, ['metadata', 'finalizers']));
  const fields = ['spec.project', 'spec.syncPolicy.automated', 'spec.syncPolicy.syncOptions', 'metadata.finalizers'];
  const policy = set && (getAt(set, ['spec', 'syncPolicy']) ?? null);
  const sync = textAt(policy, 'applicationsSync');
  const isSkipped = annotationOf(application, SKIP) === 'true';
  const cascade = onDelete(policy, finalizers, options);
  // Its controller does not act on its finalizer either.
  const deleted = isSkipped && cascade.word === 'deleted' ? fate('suspended', SKIP) : cascade;
  const automated = getAt(spec, ['syncPolicy', 'automated']);
  const isAutomated = isMap(automated) && automated.enabled !== false;
  const isPruning = isAutomated && automated.prune === true;
  return {
    controller: 'Argo CD',
    cluster: withoutTrailing(textAt(destination, 'server'), '/') || textAt(destination, 'name'),
    namespace: textAt(destination, 'namespace'),
    settings: { ...settingsAt(application, fields), ...(isSkipped && { [`metadata.annotations.${SKIP}`]: '"true"' }) },
    onPrune: isSkipped ? fate('suspended', SKIP) : onPrune(options, isAutomated, isPruning),
    onDelete: ['create-only', 'create-update'].includes(sync) ? fate('kept', `applicationsSync: ${sync}`) : deleted,
    ...(set && { onSetDelete: deleted }),
    syncsItself: isAutomated && !isSkipped,
    prunesItself: isPruning && !isSkipped,
    keepsLast: isPruning && automated.allowEmpty !== true,
    confirms: CONFIRMABLE.filter((name) => optionIn(options, name) === 'confirm'),
    prunesLast: options.includes('PruneLast=true'),
    recreates: options.includes('Force=true') && options.includes('Replace=true'),
    ...(options.includes('RespectIgnoreDifferences=true') && {
      ignores: listAt(spec, 'ignoreDifferences').map(argoRule),
    }),
  };
}

/** Without RespectIgnoreDifferences=true a sync applies the fields of `ignoreDifferences` too. */
function argoRule(rule: Value): IgnoreRule {
  const paths = textsOf(get(rule, 'jqPathExpressions')).flatMap((expression) => pointerOfJq(expression) ?? []);
  return {
    why: 'ignoreDifferences',
    group: textAt(rule, 'group'),
    version: '',
    kind: textAt(rule, 'kind'),
    name: textAt(rule, 'name'),
    namespace: textAt(rule, 'namespace'),
    matching: 'glob',
    pointers: [...textsOf(get(rule, 'jsonPointers')), ...paths],
  };
}

function fluxRule(rule: Value): IgnoreRule {
  const target = get(rule, 'target') ?? null;
  return {
    why: 'spec.ignore',
    group: textAt(target, 'group'),
    version: textAt(target, 'version'),
    kind: textAt(target, 'kind'),
    name: textAt(target, 'name'),
    namespace: textAt(target, 'namespace'),
    matching: 'regexp',
    // A selector may match anything, so that it hides nothing here.
    pointers: SELECTORS.some((field) => textAt(target, field) !== '') ? [] : textsOf(get(rule, 'paths')),
  };
}

const SELECTORS: readonly string[] = ['labelSelector', 'annotationSelector'];

const CONFIRMABLE = ['Prune', 'Delete'] as const;

const SKIP = 'argocd.argoproj.io/skip-reconcile';

function onPrune(options: readonly string[], isAutomated: boolean, isPruning: boolean): Fate {
  if (optionIn(options, 'Prune') === 'false') return fate('kept', 'Prune=false of the Application');
  if (isAutomated && !isPruning) return fate('kept', MANUAL_PRUNE);
  return fate('deleted', '');
}

function onDelete(policy: Value | undefined, finalizers: readonly string[], options: readonly string[]): Fate {
  const cascades = finalizers.some((one) => one.startsWith('resources-finalizer.argocd.argoproj.io'));
  const preserves = get(policy, 'preserveResourcesOnDeletion') === true;
  // The controller adds the finalizer to generated Applications without finalizers.
  const isCompleted = policy !== undefined && finalizers.length === 0 && !preserves;
  if (!cascades && !isCompleted) {
    return fate('orphaned', preserves ? 'preserveResourcesOnDeletion' : 'the Application has no resources-finalizer');
  }
  if (optionIn(options, 'Delete') === 'false') return fate('kept', 'Delete=false of the Application');
  return fate('deleted', '');
}

export function fluxDeployment(kustomization: ValueMap, cluster: string): Deployment {
  const spec = get(kustomization, 'spec');
  const fields = ['prune', 'suspend', 'deletionPolicy', 'force', 'serviceAccountName'].map((field) => `spec.${field}`);
  const remote = ['secretRef', 'configMapRef']
    .map((field) => textOf(getAt(spec, ['kubeConfig', field, 'name'])))
    .find((name) => name !== '');
  const isSuspended = get(spec, 'suspend') === true;
  const isPruning = get(spec, 'prune') === true;
  const pruned = isPruning ? fate('deleted', '') : fate('orphaned', 'spec.prune is not true');
  const policy = textAt(spec, 'deletionPolicy');
  const deleted = policy === 'Orphan' ? fate('orphaned', 'deletionPolicy: Orphan') : fate('deleted', '');
  const removed = policy === '' || policy === 'MirrorPrune' ? pruned : deleted;
  return {
    controller: 'Flux',
    cluster: remote === undefined ? cluster : `${cluster} (kubeConfig ${remote})`,
    namespace: textAt(spec, 'targetNamespace'),
    settings: settingsAt(kustomization, fields),
    onPrune: isSuspended ? fate('suspended', 'spec.suspend') : pruned,
    onDelete: isSuspended ? fate('orphaned', 'spec.suspend') : removed,
    syncsItself: !isSuspended,
    prunesItself: isPruning && !isSuspended,
    keepsLast: false,
    confirms: [],
    prunesLast: false,
    recreates: get(spec, 'force') === true,
    ...(listAt(spec, 'ignore').length > 0 && { ignores: listAt(spec, 'ignore').map(fluxRule) }),
  };
}

export function releaseDeployment(release: ValueMap, cluster: string): Deployment {
  const like = fluxDeployment(release, cluster);
  const spec = get(release, 'spec');
  const isSuspended = get(spec, 'suspend') === true;
  // There is no spec.prune.
  const deleted = !isSuspended && { onPrune: fate('deleted', ''), onDelete: fate('deleted', '') };
  const storage = textAt(spec, 'storageNamespace');
  return {
    ...like,
    ...deleted,
    controller: 'Helm',
    namespace: like.namespace || namespaceOf(release),
    settings: { ...like.settings, ...(storage !== '' && { 'spec.storageNamespace': toJsonText(storage) }) },
    prunesItself: !isSuspended,
    recreates: false,
  };
}
