import type { KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import type { Draw } from '../../differential/draw.ts';

/** A policy, and its bindings. */
export interface Case {
  name: string;
  objects: KubeObject[];
}

const SPEC = 'object.spec.template.spec';
const CONTAINERS = `${SPEC}.containers`;

/** Conditions on any object. */
const ATOMS = [
  "object.metadata.name.startsWith('w')",
  "object.metadata.name.matches('^[a-m]')",
  "'app' in object.metadata.labels",
  "object.metadata.labels.app == 'web'",
  "object.metadata.labels['tier'] == 'gold'",
  "object.metadata.?labels[?'app'].orValue('none') == 'web'",
  'has(object.metadata.labels) && object.metadata.labels.all(k, k.size() > 3)',
  'has(object.metadata.annotations)',
  'object.spec.replicas <= 3',
  'has(object.spec.replicas)',
  '!has(object.spec.replicas) || object.spec.replicas > 1',
  "object.spec.strategy.type == 'RollingUpdate'",
  `${CONTAINERS}.all(c, has(c.resources.limits))`,
  `${CONTAINERS}.exists(c, c.image.endsWith(':latest'))`,
  `${CONTAINERS}.all(c, c.imagePullPolicy == 'IfNotPresent')`,
  `${CONTAINERS}.map(c, c.name).exists(n, n == 'web')`,
  `${CONTAINERS}.filter(c, has(c.ports)).all(c, c.ports.all(p, p.protocol == 'TCP' && p.containerPort < 1024))`,
  `quantity(${CONTAINERS}[0].resources.limits['memory']).isLessThan(quantity('2Gi'))`,
  `${CONTAINERS}[0].resources.limits.cpu == '1'`,
  `${CONTAINERS}[1].resources == {}`,
  `!has(${SPEC}.hostNetwork) || ${SPEC}.hostNetwork == false`,
  `${SPEC}.securityContext.runAsNonRoot`,
  `${SPEC}.?volumes.orValue([]).all(v, !has(v.hostPath))`,
  `${SPEC}.volumes[1].configMap.defaultMode == 420`,
  `${SPEC}.terminationGracePeriodSeconds == 30`,
  'object.spec.ports.all(p, p.port < 1000)',
  "object.spec.type in ['ClusterIP', 'NodePort']",
  'object.spec.ports[0].targetPort == 80',
  "object.spec.sessionAffinity == 'None'",
  "object.data.a == '1'",
  'int(object.data.a) < 2',
  'size(object.data) < 2',
  'object.data.?mode.hasValue()',
  "object.type == 'Opaque'",
  "base64.decode(object.data.password) == b'hunter2'",
  'object.spec.size > 2',
  "object.spec.tags.exists_one(t, t == 'a')",
  "object.spec.color in ['red', 'blue']",
  "sets.contains(object.spec.tags, ['a'])",
  "object.rules.all(r, !('*' in r.verbs))",
  "object.spec.schedule.split(' ')[1] == '3'",
  "object.spec.concurrencyPolicy == 'Allow' && object.spec.successfulJobsHistoryLimit == 3",
  'object.spec.rules.all(r, r.host in object.spec.tls.map(t, t.hosts[0]))',
  "object.spec.volumeMode == 'Filesystem'",
  "object.spec.resources.requests.storage == '1Gi'",
  "object.kind == 'Deployment'",
  "object.apiVersion == 'policies.example.com/v1'",
  "request.operation == 'CREATE'",
  "request.operation != 'DELETE'",
  "request.namespace == 'red'",
  'has(request.namespace)',
  "request.kind.kind in ['Deployment', 'Widget']",
  "request.resource.resource == 'services' || request.kind.version == 'v1'",
  "request.requestKind.version == 'v1'",
  'request.name == object.metadata.name',
  "object.data.owner == 'authorizer'",
  "object.data.owner == 'x' && authorizer.path('/healthz').check('get').allowed()",
  "authorizer.path('/healthz').check('get').allowed() ? object.data.none == 'x' : false",
  "request.options.fieldManager == object.data.none || object.data.none == 'namespaceObject'",
  "has(request.options.dryRun) && object.metadata.name == ''",
  "request.userInfo.username == 'admin'",
  "'system:masters' in request.userInfo.groups",
  'has(request.subResource)',
  'oldObject == null',
  'object == null',
  'oldObject == null || oldObject.metadata.name == object.metadata.name',
  'oldObject.spec.replicas <= object.spec.replicas',
  'object.spec == oldObject.spec',
  "namespaceObject.metadata.labels['team'] == 'a'",
  'has(namespaceObject.metadata.annotations)',
  "namespaceObject.metadata.name == 'red'",
  "namespaceObject == null || namespaceObject.status.phase == 'Active'",
  "authorizer.group('').resource('pods').namespace('red').check('list').allowed()",
  "authorizer.requestResource.check('delete').allowed()",
  "object.metadata.uid != ''",
  'type(object.spec) == map',
  'object.spec.size + 1 > 3',
  "object.spec.nothing == 'x'",
  "string(object.spec.replicas) == '3'",
  "duration('1h') > duration('30m')",
  "url('https://example.com/a').getHost() == 'example.com'",
  'isQuantity(object.spec.size)',
  "object.metadata.name.find('[a-z]+') != ''",
  'dyn(object.metadata.name) == 3',
  '1 / size(object.metadata.name) > 1 || 1 / 0 == 1',
];

const PARAMS = [
  'int(params.data.max) > 3',
  'params.data.name == object.metadata.name',
  'has(params.data.name)',
  'params.max >= 5',
  'object.metadata.name in params.names',
  "params == null || params.metadata.name == 'small'",
  "params.metadata.namespace == 'plain'",
  "params.kind == 'ConfigMap'",
];

const MESSAGES = [
  "'name ' + object.metadata.name",
  "'replicas: ' + string(object.spec.replicas)",
  "object.metadata.name + '\\n'",
  "''",
  "'at most %d, not %s'.format([3, object.metadata.name])",
  "'%s'.format([object.metadata.labels])",
  "request.operation + ' in ' + request.namespace",
  "'team ' + namespaceObject.metadata.labels.team",
  'object.spec.nothing',
];

const VARIABLES = [
  ['name', 'object.metadata.name'],
  ['labels', 'object.metadata.?labels.orValue({})'],
  ['containers', `has(${SPEC}) ? ${CONTAINERS} : []`],
  ['replicas', 'object.spec.replicas'],
  ['old', 'oldObject != null'],
  ['team', 'namespaceObject.metadata.labels.team'],
] as const;

const USES: Readonly<Record<string, readonly string[]>> = {
  name: ['variables.name.size() > 3', "variables.name == 'web'"],
  labels: ["'app' in variables.labels", 'size(variables.labels) == 1'],
  containers: ['variables.containers.all(c, has(c.resources))', 'size(variables.containers) == 2'],
  replicas: ['variables.replicas > 2', 'has(variables.replicas)'],
  old: ['variables.old', '!variables.old'],
  team: ["variables.team == 'a'"],
};

const RESOURCES = [
  { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments', 'statefulsets'] },
  { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['services', 'configmaps', 'secrets'] },
  { apiGroups: ['policies.example.com'], apiVersions: ['v1'], resources: ['widgets'] },
  { apiGroups: ['policies.example.com'], apiVersions: ['v1beta1'], resources: ['widgets', 'widgets/status'] },
  { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
  { apiGroups: ['*'], apiVersions: ['v1'], resources: ['*/*'] },
  {
    apiGroups: ['', 'rbac.authorization.k8s.io', 'batch'],
    apiVersions: ['v1'],
    resources: ['namespaces', 'clusterroles', 'cronjobs'],
  },
  {
    apiGroups: ['', 'networking.k8s.io'],
    apiVersions: ['v1'],
    resources: ['persistentvolumeclaims', 'ingresses', 'pods/status'],
  },
];

const SELECTORS = [
  { matchLabels: { app: 'web' } },
  { matchLabels: { tier: 'gold' } },
  { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['b'] }] },
  { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['red', 'kube-system'] }] },
  { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
  { matchLabels: { team: 'a' }, matchExpressions: [{ key: 'env', operator: 'In', values: ['production', 'test'] }] },
];

function drawRule(draw: Draw): ValueMap {
  const operations = draw.pick([['*'], ['CREATE'], ['CREATE', 'UPDATE'], ['UPDATE', 'DELETE'], ['DELETE']]);
  return {
    ...draw.pick(RESOURCES),
    operations,
    ...(draw.chance(20) && { scope: draw.pick(['Cluster', 'Namespaced', '*']) }),
    ...(draw.chance(15) && { resourceNames: draw.pick([['web'], ['shop', 'db'], ['settings', 'one', 'green']]) }),
  };
}

function drawMatch(draw: Draw, needsRules: boolean): ValueMap {
  return {
    ...((needsRules || draw.chance(50)) && { resourceRules: draw.times(1, 2, () => drawRule(draw)) }),
    ...(draw.chance(15) && { excludeResourceRules: [drawRule(draw)] }),
    ...(draw.chance(25) && { namespaceSelector: draw.pick(SELECTORS) }),
    ...(draw.chance(20) && { objectSelector: draw.pick(SELECTORS) }),
    ...(draw.chance(40) && { matchPolicy: draw.pick(['Exact', 'Equivalent']) }),
  };
}

/** Draws a policy with one or two bindings. */
export function drawCase(draw: Draw, index: number): Case {
  const name = `policy-${index}`;
  const paramKind = draw.chance(30)
    ? draw.pick([
        { apiVersion: 'v1', kind: 'ConfigMap' },
        { apiVersion: 'policies.example.com/v1', kind: 'Limit' },
      ])
    : undefined;
  const variables = draw.chance(40) ? VARIABLES.filter(() => draw.chance(50)) : [];
  const atom = (seesVariables: boolean): string => {
    if (paramKind !== undefined && draw.chance(40)) return draw.pick(PARAMS);
    const variable = seesVariables && variables.length > 0 && draw.chance(50) ? draw.pick(variables) : undefined;
    return draw.pick(variable === undefined ? ATOMS : (USES[variable[0]] ?? ATOMS));
  };
  const expression = (depth: number, seesVariables = true): string => {
    if (depth === 0 || draw.chance(45)) return draw.chance(15) ? `!(${atom(seesVariables)})` : atom(seesVariables);
    const [a, b] = [expression(depth - 1, seesVariables), expression(depth - 1, seesVariables)];
    return draw.pick([
      `(${a}) && (${b})`,
      `(${a}) || (${b})`,
      `(${a}) ? (${b}) : (${expression(depth - 1, seesVariables)})`,
    ]);
  };
  const spec: ValueMap = {
    matchConstraints: drawMatch(draw, true),
    ...(draw.chance(40) && { failurePolicy: draw.pick(['Fail', 'Ignore']) }),
    ...(paramKind && { paramKind }),
    ...(variables.length > 0 && { variables: variables.map(([name, text]) => ({ name, expression: text })) }),
    ...(draw.chance(25) && {
      matchConditions: draw.times(1, 2, (at) => ({ name: `condition-${at}`, expression: expression(1, false) })),
    }),
    validations: draw.times(1, 3, () => ({
      expression: expression(2),
      ...(draw.chance(30) && { message: draw.pick(['not allowed', ' trimmed ', 'see the handbook']) }),
      ...(draw.chance(30) && { messageExpression: draw.pick(MESSAGES) }),
      ...(draw.chance(20) && { reason: draw.pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge']) }),
    })),
    ...(draw.chance(15) && {
      auditAnnotations: [
        { key: 'note', valueExpression: draw.pick(["'x'", 'object.metadata.name', "object.spec.nothing + 'a'"]) },
      ],
    }),
  };
  const bindings = draw.times(1, 2, (at): KubeObject => {
    const isNamespaced = paramKind?.kind === 'ConfigMap';
    const byName = draw.chance(60);
    const paramRef = paramKind &&
      draw.chance(90) && {
        ...(byName
          ? { name: draw.pick(['params', 'params2', 'small', 'large', 'none']) }
          : { selector: draw.pick(SELECTORS.slice(0, 3)) }),
        ...(isNamespaced && draw.chance(60) && { namespace: draw.pick(['plain', 'red']) }),
        parameterNotFoundAction: draw.pick(['Allow', 'Deny']),
      };
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}-${at}` },
      spec: {
        policyName: name,
        validationActions: draw.chance(12)
          ? draw.pick([['Deny'], ['Deny', 'Audit']])
          : draw.pick([['Warn'], ['Warn', 'Audit']]),
        ...(paramRef && { paramRef }),
        ...(draw.chance(35) && { matchResources: drawMatch(draw, false) }),
      },
    };
  });
  const policy: KubeObject = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec,
  };
  return { name, objects: [policy, ...bindings] };
}
