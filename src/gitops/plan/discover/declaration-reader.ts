import { groupKindOf, groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { formatPath, get, getAt, listAt, textsOf } from '../../../core/model/value.ts';
import { parentOf } from '../../../core/text/paths.ts';
import { type Application, applicationAt, type Discovery } from '../application.ts';
import { unsupportedField } from '../fields.ts';
import { createRefusal, DECLARING } from './admission.ts';
import { readApplicationSet } from './application-set.ts';
import { isPartial, readApplication } from './argocd.ts';
import type { Declaration, ReadDeclarations } from './declaration.ts';
import { readFluxKustomization, readHelmRelease } from './flux.ts';
import { readFluxInstance } from './flux-instance.ts';
import { referencesIn } from './references.ts';

/** Returns what is shown of an object that an API server rejects: nothing is deployed by it. */
function refusedApplication(reason: string, object: KubeObject, place: string): Application {
  const source = { type: 'fails', path: '', reason } as const;
  const application: Application = {
    ...applicationAt(object.kind, nameOf(object) || place, '', source),
    namespace: namespaceOf(object),
    place,
  };
  if (object.kind === 'ApplicationSet') {
    application.set = JSON.stringify([namespaceOf(object), nameOf(object), place]);
  }
  return application;
}

/** Returns a function that reads an object that declares applications, from a file or rendered in a cluster of Flux. */
export function declarationReader(given: Discovery): ReadDeclarations {
  const references = referencesIn(given);
  const refusal = createRefusal(given.settings, given.refusals);
  const applicationsOf = (object: KubeObject, place: string, cluster: string): readonly Application[] | undefined => {
    const at = { place, cluster, references, repository: given.repository };
    switch (groupKindOf(object)) {
      case 'Application.argoproj.io':
        return [readApplication(object, place, given)];
      case 'Kustomization.kustomize.toolkit.fluxcd.io':
        return [readFluxKustomization(object, at)];
      case 'HelmRelease.helm.toolkit.fluxcd.io':
        return [readHelmRelease(object, at)];
      case 'FluxInstance.fluxcd.controlplane.io':
        return readFluxInstance(object, at);
    }
    return undefined;
  };
  return (object, { place, file, parent, cluster }) => {
    const at = cluster ?? references.clusterOf(file ?? place) ?? (file ? parentOf(file) : place);
    const origin: Omit<Declaration, 'applications'> = { object, place, cluster: at };
    if (file !== undefined) origin.file = file;
    if (parent !== undefined) origin.parent = parent;
    if (file !== undefined && isPart(object)) origin.isPart = true;
    const isDeclaring = DECLARING.includes(groupKindOf(object));
    const refused = isDeclaring || GROUPS.includes(groupVersionKind(object).group) ? refusal(object) : undefined;
    if (refused !== undefined) {
      return [{ ...origin, applications: [refusedApplication(refused, object, place)], refused }];
    }
    if (groupKindOf(object) === 'ApplicationSet.argoproj.io') {
      const set = readApplicationSet(object, place, given, refusal);
      return [{ ...origin, ...set, applications: set.applications.map((one) => limited(one, object)) }];
    }
    const applications = applicationsOf(object, place, at);
    if (applications === undefined || applications.length === 0) return [];
    return [{ ...origin, applications: applications.map((one) => limited(one, object)) }];
  };
}

/** Returns an application that is not rendered if a field of its object is not supported. */
function limited(application: Application, object: KubeObject): Application {
  const isRenderedHere = application.sources.every(({ type }) => type !== 'none' && type !== 'fails');
  const field = isRenderedHere ? (unsupportedField(object) ?? fieldsOfManagers(object)) : undefined;
  if (field === undefined) return application;
  return {
    ...application,
    sources: [{ type: 'none', path: application.path, reason: `its field ${field} is not supported` }],
  };
}

/** Returns a rule of `ignoreDifferences` by which a sync leaves fields as they are that only the cluster knows. */
function fieldsOfManagers(object: KubeObject): string | undefined {
  const path = object.kind === 'ApplicationSet' ? ['spec', 'template', 'spec'] : ['spec'];
  const spec = getAt(object, path);
  const options = textsOf(getAt(spec, ['syncPolicy', 'syncOptions']));
  if (!options.includes('RespectIgnoreDifferences=true')) return undefined;
  const rules = listAt(spec, 'ignoreDifferences');
  const index = rules.findIndex((rule) => listAt(rule, 'managedFieldsManagers').length > 0);
  return index < 0 ? undefined : formatPath([...path, 'ignoreDifferences', index, 'managedFieldsManagers']);
}

/** The groups whose kinds are checked, because a misspelled one may declare applications. */
const GROUPS: readonly string[] = [...new Set(DECLARING.map((kind) => kind.slice(kind.indexOf('.') + 1)))];

/** Reports whether an object has nothing that every object of its kind has, so that it is a part of one. */
function isPart(object: KubeObject): boolean {
  const spec = get(object, 'spec');
  switch (object.kind) {
    case 'Application':
      return isPartial(object);
    case 'ApplicationSet':
      return spec === undefined || get(spec, 'generators') === undefined;
    case 'Kustomization':
      return getAt(object, ['spec', 'sourceRef']) === undefined;
    case 'HelmRelease':
      return [['chartRef'], ['chart', 'spec', 'chart']].every((path) => getAt(object, ['spec', ...path]) === undefined);
    default:
      return false;
  }
}
