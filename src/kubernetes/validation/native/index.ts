import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isSubdomain } from '../../../core/model/names.ts';
import { groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { formatPath } from '../../../core/model/path.ts';
import type { Violation } from '../conformity/walk.ts';
import { objectMetadata } from './metadata.ts';
import { network } from './network.ts';
import { all, each, fields, itemsAt, map, missing, type Rule, refuse, required, textAt } from './rule.ts';
import { scalers } from './scaling.ts';
import { stores } from './stores.ts';
import { labelSelector, pathSegment } from './syntax.ts';
import { workloads } from './workloads.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** pkg/apis/rbac/validation, ValidatePolicyRule. */
const policyRule = (isNamespaced: boolean): Rule =>
  map((rule, place) => {
    const has = (key: string): boolean => itemsAt(rule, key).length > 0;
    if (!has('verbs')) missing(place, phrase`must have at least 1 item`, 'verbs');
    if (has('nonResourceURLs')) {
      if (isNamespaced) refuse(place, phrase`must not be in a Role`, 'nonResourceURLs');
      if (has('apiGroups') || has('resources') || has('resourceNames'))
        refuse(place, phrase`must not be set together with apiGroups, resources or resourceNames`, 'nonResourceURLs');
      return;
    }
    if (!has('apiGroups')) missing(place, phrase`must have at least 1 item`, 'apiGroups');
    if (!has('resources')) missing(place, phrase`must have at least 1 item`, 'resources');
  });

const subject = (isNamespaced: boolean): Rule =>
  all(
    required('name'),
    map((one, place) => {
      const kind = textAt(one, 'kind');
      const group = textAt(one, 'apiGroup');
      if (kind === 'ServiceAccount') {
        const name = textAt(one, 'name');
        if (name !== '' && !isSubdomain(name)) refuse(place, phrase`must be the name of a ServiceAccount`, 'name');
        if (group !== '') refuse(place, phrase`must be empty for a ServiceAccount`, 'apiGroup');
        if (!isNamespaced && textAt(one, 'namespace') === '')
          missing(place, phrase`is required for a ServiceAccount`, 'namespace');
      } else if (kind !== 'User' && kind !== 'Group') {
        refuse(place, phrase`must be one of "ServiceAccount", "User", "Group"`, 'kind');
      } else if (group !== '' && group !== GROUP) refuse(place, phrase`must be '${shown(GROUP)}'`, 'apiGroup');
    }),
  );

const binding = (kinds: readonly string[], isNamespaced: boolean): Rule =>
  all(
    required('roleRef'),
    fields({
      roleRef: all(
        required('name', 'kind'),
        fields({ name: pathSegment }),
        map((reference, place) => {
          const [kind, group] = [textAt(reference, 'kind'), textAt(reference, 'apiGroup')];
          if (kind !== '' && !kinds.includes(kind))
            refuse(place, phrase`must be ${kinds.map((one) => `'${one}'`).join(' or ')}`, 'kind');
          if (group !== '' && group !== GROUP) refuse(place, phrase`must be '${shown(GROUP)}'`, 'apiGroup');
        }),
      ),
      subjects: each(subject(isNamespaced)),
    }),
  );

const aggregation = fields({
  aggregationRule: all(required('clusterRoleSelectors'), fields({ clusterRoleSelectors: each(labelSelector) })),
});

const access: Readonly<Record<string, Rule>> = {
  [`${GROUP}/Role`]: fields({ rules: each(policyRule(true)) }),
  [`${GROUP}/ClusterRole`]: all(fields({ rules: each(policyRule(false)) }), aggregation),
  [`${GROUP}/RoleBinding`]: binding(['Role', 'ClusterRole'], true),
  [`${GROUP}/ClusterRoleBinding`]: binding(['ClusterRole'], false),
};

/** Rules by group and kind: what validation functions of k8s.io/kubernetes/pkg/apis require beyond the schemas. */
const RULES: Readonly<Record<string, Rule>> = { ...workloads, ...network, ...stores, ...access, ...scalers };

const everyKind = fields({ metadata: objectMetadata });

/** Returns what an API server rejects in a new object of one of Kubernetes' own kinds, beyond its schema. */
export function nativeFaults(object: KubeObject): Violation[] {
  const { group, kind } = groupVersionKind(object);
  const faults: Violation[] = [];
  const place = { path: [], faults };
  everyKind(object, place);
  if (Object.hasOwn(RULES, `${group}/${kind}`)) RULES[`${group}/${kind}`]?.(object, place);
  return faults;
}

/**
 * Fields that the published schemas require and the API server does not: lists that Go writes even if they are empty,
 * and fields that it drops or fills in. `*` stands for every kind.
 */
const PARDONS: readonly (readonly [kind: string, path: RegExp, fault: Violation['kind']])[] = [
  ['*', /(?:^|\.)podFailurePolicy\.rules$/, 'required'],
  ['*', /(?:^|\.)dataSource\.(?:kind|name)$/, 'required'],
  ['*', /\.sysctls\[\d+\]\.value$/, 'required'],
  ['*', /\.httpHeaders\[\d+\]\.value$/, 'required'],
  ['*', /\.sleep\.seconds$/, 'required'],
  ['*', /\.preferredDuringSchedulingIgnoredDuringExecution\[\d+\]\.preference$/, 'required'],
  ['apiextensions.k8s.io/CustomResourceDefinition', /^spec\.versions\[\d+\]\.(?:served|storage)$/, 'required'],
  ['/LimitRange', /^spec\.limits$/, 'required'],
];

export function isPardoned({ path, kind: fault }: Violation, object: KubeObject): boolean {
  const { group, kind } = groupVersionKind(object);
  const text = formatPath(path);
  return PARDONS.some(
    ([of, where, what]) => what === fault && (of === '*' || of === `${group}/${kind}`) && where.test(text),
  );
}
