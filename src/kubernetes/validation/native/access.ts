import { phrase, shown } from '../../../core/diagnostics/index.ts';
import { isSubdomain } from '../../../core/model/names.ts';
import { all, each, fields, itemsAt, map, missing, type Rule, refuse, required, textAt } from './rule.ts';
import { labelSelector, pathSegment } from './syntax.ts';

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

export const access: Readonly<Record<string, Rule>> = {
  [`${GROUP}/Role`]: fields({ rules: each(policyRule(true)) }),
  [`${GROUP}/ClusterRole`]: all(fields({ rules: each(policyRule(false)) }), aggregation),
  [`${GROUP}/RoleBinding`]: binding(['Role', 'ClusterRole'], true),
  [`${GROUP}/ClusterRoleBinding`]: binding(['ClusterRole'], false),
};
