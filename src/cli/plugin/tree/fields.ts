import { isMap, type Value } from '../../../core/model/value.ts';

/**
 * How kustomize uses the texts of a field: `data` becomes a part of objects or selects them; a `file` is read, with a
 * key before it if it is `keyed`; a `patch` is a file or the patch itself; a `folder` may be a file or another
 * kustomization; a `configuration` is a file or a text that configures a plugin; `helm` runs a program.
 */
export type Meaning = 'data' | 'file' | 'keyed' | 'patch' | 'folder' | 'configuration' | 'helm';

/** A field of a list applies to its items too. */
export interface Fields {
  readonly [name: string]: Meaning | Fields;
}

const data = 'data';
const GVK = { group: data, version: data, kind: data } as const;
const NAMED = { ...GVK, name: data, namespace: data } as const;
const SELECTOR = { ...NAMED, annotationSelector: data, labelSelector: data } as const;
const FIELD_SPECS = { fieldSpecs: { ...GVK, path: data, create: data } } as const;
const METADATA = { name: data, namespace: data, labels: data, annotations: data } as const;
const IMAGE = { name: data, newName: data, tagSuffix: data, newTag: data, digest: data } as const;
const REPLICA = { name: data, count: data } as const;
const PATCH = {
  path: 'file',
  patch: data,
  target: SELECTOR,
  options: { allowNameChange: data, allowKindChange: data },
} as const;
const OF_FIELD = { options: { delimiter: data, index: data, encoding: data, create: data } } as const;
const REPLACEMENT = {
  path: 'file',
  source: { ...NAMED, fieldPath: data, ...OF_FIELD },
  sourceValue: data,
  targets: { select: SELECTOR, reject: SELECTOR, fieldPaths: data, ...OF_FIELD },
} as const;
const GENERATOR_OPTIONS = { labels: data, annotations: data, disableNameSuffixHash: data, immutable: data } as const;
const CONFIG_MAP = {
  name: data,
  namespace: data,
  behavior: data,
  literals: data,
  files: 'keyed',
  envs: 'file',
  env: 'file',
  options: GENERATOR_OPTIONS,
} as const;

/** Every field of a kustomization; kustomize rejects others. */
export const KUSTOMIZATION: Fields = {
  apiVersion: data,
  kind: data,
  metadata: METADATA,
  openapi: { path: 'file', version: data },
  namePrefix: data,
  nameSuffix: data,
  namespace: data,
  commonLabels: data,
  labels: {
    pairs: data,
    includeSelectors: data,
    includeTemplates: data,
    includeVolumeClaimTemplates: data,
    fields: FIELD_SPECS.fieldSpecs,
  },
  commonAnnotations: data,
  patchesStrategicMerge: 'patch',
  patchesJson6902: PATCH,
  patches: PATCH,
  images: IMAGE,
  imageTags: IMAGE,
  replacements: REPLACEMENT,
  replicas: REPLICA,
  vars: { name: data, objref: { ...NAMED, apiVersion: data }, fieldref: { fieldPath: data } },
  sortOptions: { order: data, legacySortOptions: { orderFirst: data, orderLast: data } },
  resources: 'folder',
  components: 'folder',
  bases: 'folder',
  crds: 'file',
  configMapGenerator: CONFIG_MAP,
  secretGenerator: { ...CONFIG_MAP, type: data },
  generatorOptions: GENERATOR_OPTIONS,
  helmGlobals: 'helm',
  helmCharts: 'helm',
  helmChartInflationGenerator: 'helm',
  configurations: 'file',
  generators: 'configuration',
  transformers: 'configuration',
  validators: 'configuration',
  buildMetadata: data,
};

/** The fields of kustomize's built-in plugins, by the kind of their configuration. */
const PLUGINS: Readonly<Record<string, Fields>> = {
  AnnotationsTransformer: { annotations: data, ...FIELD_SPECS },
  ConfigMapGenerator: CONFIG_MAP,
  HashTransformer: {},
  IAMPolicyGenerator: {
    cloud: data,
    kubernetesService: { namespace: data, name: data },
    serviceAccount: { name: data, projectId: data },
  },
  ImageTagTransformer: { imageTag: IMAGE, ...FIELD_SPECS },
  LabelTransformer: { labels: data, ...FIELD_SPECS },
  NamespaceTransformer: { unsetOnly: data, setRoleBindingSubjects: data, ...FIELD_SPECS },
  PatchJson6902Transformer: { target: SELECTOR, path: 'file', jsonOp: data },
  PatchStrategicMergeTransformer: { paths: 'patch', patches: data },
  PatchTransformer: PATCH,
  PrefixSuffixTransformer: { prefix: data, suffix: data, ...FIELD_SPECS },
  PrefixTransformer: { prefix: data, ...FIELD_SPECS },
  ReplacementTransformer: { replacements: REPLACEMENT },
  ReplicaCountTransformer: { replica: REPLICA, ...FIELD_SPECS },
  SecretGenerator: { ...CONFIG_MAP, type: data },
  SuffixTransformer: { suffix: data, ...FIELD_SPECS },
  ValueAddTransformer: {
    value: data,
    targets: { selector: SELECTOR, fieldPath: data, filePathPosition: data },
    targetFilePath: 'file',
  },
};

/** Returns the fields of the configuration of a plugin; undefined if kustomize would run a program for it. */
export function fieldsOfPlugin(value: Value): Fields | undefined {
  const { apiVersion, kind } = isMap(value) ? value : {};
  if (apiVersion !== 'builtin' || typeof kind !== 'string' || !Object.hasOwn(PLUGINS, kind)) return undefined;
  return { apiVersion: data, kind: data, metadata: data, ...PLUGINS[kind] };
}
