import { formatPath, isMap, type Path, typeTitle, type Value } from '../../../core/model/value.ts';

/** The type of a field: of each item of a list, of the fields of a map, or of each value of a map (`*`). */
type FieldType = 'string' | 'boolean' | 'map' | 'count' | 'any' | readonly [FieldType] | FieldTypes;

interface FieldTypes {
  readonly [field: string]: FieldType;
}

const METADATA: FieldTypes = {
  name: 'string',
  namespace: 'string',
  labels: { '*': 'string' },
  annotations: { '*': 'string' },
  finalizers: ['string'],
};

const PLUGIN_PARAMETER: FieldTypes = {
  name: 'string',
  string: 'string',
  array: ['string'],
  map: { '*': 'string' },
};

const HELM_PARAMETER: FieldTypes = {
  name: 'string',
  value: 'string',
  forceString: 'boolean',
};

const HELM: FieldTypes = {
  releaseName: 'string',
  valueFiles: ['string'],
  namespace: 'string',
  skipCrds: 'boolean',
  skipTests: 'boolean',
  skipSchemaValidation: 'boolean',
  values: 'string',
  valuesObject: 'map',
  parameters: [HELM_PARAMETER],
  ignoreMissingValueFiles: 'boolean',
  kubeVersion: 'string',
  apiVersions: ['string'],
  passCredentials: 'boolean',
  version: 'string',
};

const REPLICA: FieldTypes = {
  name: 'string',
  count: 'count',
};

const PATCH_TARGET: FieldTypes = {
  group: 'string',
  version: 'string',
  kind: 'string',
  name: 'string',
  namespace: 'string',
  labelSelector: 'string',
  annotationSelector: 'string',
};

const ARGOCD_PATCH: FieldTypes = {
  path: 'string',
  patch: 'string',
  target: PATCH_TARGET,
  options: { '*': 'boolean' },
};

const KUSTOMIZE: FieldTypes = {
  namePrefix: 'string',
  nameSuffix: 'string',
  namespace: 'string',
  images: ['string'],
  replicas: [REPLICA],
  patches: [ARGOCD_PATCH],
  components: ['string'],
  ignoreMissingComponents: 'boolean',
  commonLabels: { '*': 'string' },
  forceCommonLabels: 'boolean',
  labelWithoutSelector: 'boolean',
  labelIncludeTemplates: 'boolean',
  commonAnnotations: { '*': 'string' },
  forceCommonAnnotations: 'boolean',
  commonAnnotationsEnvsubst: 'boolean',
  kubeVersion: 'string',
  apiVersions: ['string'],
};

const ARGOCD_SOURCE: FieldTypes = {
  repoURL: 'string',
  path: 'string',
  targetRevision: 'string',
  chart: 'string',
  ref: 'string',
  name: 'string',
  helm: HELM,
  kustomize: KUSTOMIZE,
  directory: { recurse: 'boolean', include: 'string', exclude: 'string', jsonnet: 'map' },
  plugin: { name: 'string', parameters: [PLUGIN_PARAMETER], env: [{ name: 'string', value: 'string' }] },
};

const APPLICATION_SPEC: FieldTypes = {
  project: 'string',
  destination: { server: 'string', name: 'string', namespace: 'string' },
  source: ARGOCD_SOURCE,
  sources: [ARGOCD_SOURCE],
  sourceHydrator: { drySource: { repoURL: 'string', path: 'string', targetRevision: 'string' } },
  syncPolicy: { automated: 'map', syncOptions: ['string'] },
};

/** Fields of a template of an ApplicationSet may have other types until it is filled in. */
const APPLICATION_SET_SPEC: FieldTypes = {
  generators: ['map'],
  template: { metadata: METADATA, spec: 'map' },
  templatePatch: 'string',
  goTemplate: 'boolean',
  goTemplateOptions: ['string'],
  syncPolicy: { applicationsSync: 'string', preserveResourcesOnDeletion: 'boolean' },
};

const REFERENCE: FieldTypes = {
  kind: 'string',
  name: 'string',
  namespace: 'string',
};

const VALUES_REFERENCE: FieldTypes = {
  ...REFERENCE,
  optional: 'boolean',
  valuesKey: 'string',
  targetPath: 'string',
};

const KUBE_CONFIG: FieldTypes = {
  secretRef: { name: 'string', key: 'string' },
};

const COMMON_METADATA: FieldTypes = {
  labels: { '*': 'string' },
  annotations: { '*': 'string' },
};

const FLUX_KUSTOMIZATION_SPEC: FieldTypes = {
  path: 'string',
  sourceRef: REFERENCE,
  targetNamespace: 'string',
  prune: 'boolean',
  suspend: 'boolean',
  force: 'boolean',
  deletionPolicy: 'string',
  serviceAccountName: 'string',
  kubeConfig: KUBE_CONFIG,
  patches: [{ patch: 'string', target: PATCH_TARGET }],
  patchesStrategicMerge: ['any'],
  patchesJson6902: [{ patch: 'any', target: PATCH_TARGET }],
  images: [{ name: 'string', newName: 'string', newTag: 'string', digest: 'string' }],
  components: ['string'],
  ignoreMissingComponents: 'boolean',
  namePrefix: 'string',
  nameSuffix: 'string',
  buildMetadata: ['string'],
  commonMetadata: COMMON_METADATA,
  postBuild: { substitute: { '*': 'string' }, substituteFrom: [VALUES_REFERENCE] },
};

const CHART_SPEC: FieldTypes = {
  chart: 'string',
  version: 'string',
  sourceRef: REFERENCE,
  valuesFiles: ['string'],
  ignoreMissingValuesFiles: 'boolean',
};

const HELM_RELEASE_SPEC: FieldTypes = {
  chart: { spec: CHART_SPEC },
  chartRef: REFERENCE,
  releaseName: 'string',
  targetNamespace: 'string',
  storageNamespace: 'string',
  suspend: 'boolean',
  serviceAccountName: 'string',
  kubeConfig: KUBE_CONFIG,
  values: 'map',
  valuesFrom: [VALUES_REFERENCE],
  postRenderers: ['map'],
  commonMetadata: COMMON_METADATA,
  upgrade: { crds: 'string', disableSchemaValidation: 'boolean' },
  test: { enable: 'boolean' },
};

/** The fields that a plan reads of objects that declare deployments, as their CRDs declare them. */
const SPECS: ReadonlyMap<string, FieldTypes> = new Map([
  ['Application', APPLICATION_SPEC],
  ['ApplicationSet', APPLICATION_SET_SPEC],
  ['Kustomization', FLUX_KUSTOMIZATION_SPEC],
  ['HelmRelease', HELM_RELEASE_SPEC],
]);

/** Returns what is wrong with the types of an object, for which an API server rejects it; `undefined` if nothing is. */
export function typeFault(kind: string, object: Value): string | undefined {
  const spec = SPECS.get(kind);
  return spec && faultIn(object, { metadata: METADATA, spec }, []);
}

function faultIn(value: Value, type: FieldType, path: Path): string | undefined {
  // Null is absent.
  if (value === null || type === 'any') return undefined;
  if (typeof type === 'string') return hasType(value, type) ? undefined : faultAt(path, TITLES[type], value);
  if (isListType(type)) {
    if (!Array.isArray(value)) return faultAt(path, 'a list', value);
    return firstFault(value.entries(), () => type[0], path);
  }
  if (!isMap(value)) return faultAt(path, 'a map', value);
  const fields = new Map(Object.entries(type));
  return firstFault(Object.entries(value), (key) => fields.get(String(key)) ?? fields.get('*') ?? 'any', path);
}

function firstFault(
  items: Iterable<readonly [string | number, Value]>,
  typeOf: (key: string | number) => FieldType,
  path: Path,
): string | undefined {
  for (const [key, item] of items) {
    const fault = faultIn(item, typeOf(key), [...path, key]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isListType = (type: FieldType): type is readonly [FieldType] => Array.isArray(type);

type ScalarType = Exclude<FieldType, 'any' | readonly [FieldType] | FieldTypes>;

const TITLES: Readonly<Record<ScalarType, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  map: 'a map',
  count: 'an integer or a string',
};

function hasType(value: Value, type: ScalarType): boolean {
  switch (type) {
    case 'map':
      return isMap(value);
    case 'count':
      return typeof value === 'bigint' || typeof value === 'string';
    case 'string':
    case 'boolean':
      return typeof value === type;
  }
}

const faultAt = (path: Path, expected: string, value: Value): string =>
  `its field ${formatPath(path)} is ${typeTitle(value)}, expected ${expected}`;
