import { describe, expect, it } from 'vitest';
import { compilePolicies, type Operation, type PolicyInput } from '../../../src/check/policies/index.ts';
import { validatePackage } from '../../../src/check/validate/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const documents = (text: string) => readStreams([{ file: 'policies.yaml', text }], new Collector());
const objects = (text: string): KubeObject[] => documents(text).map(({ object }) => object as KubeObject);

interface Spec {
  spec: string;
  binding?: string;
  more?: string;
}

/** A policy for ConfigMaps, with its binding. */
const policy = ({ spec, binding = 'validationActions: [Deny]', more = '' }: Spec): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
  ${spec.trim().replaceAll('\n', '\n  ')}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  ${binding.trim().replaceAll('\n', '\n  ')}
${more === '' ? '' : `---\n${more}`}`;

const config = (data: ValueMap, more: ValueMap = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'ns', ...more },
  data,
});

function decide(text: string, operation: Operation, more: Partial<PolicyInput> = {}): string[] {
  const given = objects(text).map((object) => ({ object }));
  const reports = new Collector();
  const { decide } = compilePolicies(
    {
      policies: given.filter(({ object }) => object.kind.startsWith('ValidatingAdmissionPolicy')),
      known: given,
      complete: given,
      crds: [],
      kinds: builtinKinds,
      limits: defaultRenderOptions,
      namespace: '',
      ...more,
    },
    1,
    reports,
  );
  if (reports.hasErrors) return reports.all.map(({ code, message }) => `${code}: ${message}`);
  return decide(operation).map((one) => {
    if ('skipped' in one) return 'skipped';
    return 'undecided' in one ? `undecided: ${one.undecided}` : `${one.action}: ${one.denial.message}`;
  });
}

const validation = (expression: string, more = ''): string =>
  `validations: [{expression: ${JSON.stringify(expression)}${more}}]`;
const ofConfig = (expression: string, data: ValueMap = { a: '1' }, more: Partial<PolicyInput> = {}): string[] =>
  decide(policy({ spec: validation(expression) }), { object: config(data) }, more);

describe('an expression of a policy', () => {
  it('admits', () => expect(ofConfig("object.data.a == '1'")).toEqual([]));
  it('denies with its text', () =>
    expect(ofConfig("object.data.a == '2'")).toEqual(["Deny: failed expression: object.data.a == '2'"]));
  it('denies with its message', () =>
    expect(decide(policy({ spec: validation('false', ', message: " no "') }), { object: config({}) })).toEqual([
      'Deny: no',
    ]));
  it('denies with the result of messageExpression', () =>
    expect(
      decide(policy({ spec: validation('false', ', messageExpression: "object.data.a + \'!\'"') }), {
        object: config({ a: 'x' }),
      }),
    ).toEqual(['Deny: x!']));
  it('denies if it fails', () =>
    expect(ofConfig('object.data.b == "2"')).toEqual([
      'Deny: expression \'object.data.b == "2"\' resulted in error: no such key: b',
    ]));
  it('admits if it fails and failures are ignored', () =>
    expect(
      decide(policy({ spec: `failurePolicy: Ignore\n${validation('object.data.b == "2"')}` }), { object: config({}) }),
    ).toEqual([]));
  it('is not decided if an API server may stop it', () => {
    const list = Array.from({ length: 400 }, (_, index) => index).join(',');
    const all = "object.data.l.split(',').all(a, object.data.l.split(',').all(b, a != 'q' || b != 'q'))";
    expect(ofConfig(all, { l: '1,2,3' })).toEqual([]);
    expect(ofConfig(all, { l: list })).toEqual(['undecided: cost']);
  });
  it('is not decided when all together take more than the package may', () => {
    const object = config({ l: 'x,'.repeat(1000) });
    const given = objects(policy({ spec: validation("object.data.l.split(',').all(a, a != 'q')") })).map((one) => ({
      object: one,
    }));
    const limits = { ...defaultRenderOptions, maxSteps: 20_000 };
    const policies = { policies: given, known: [], complete: [], crds: [], kinds: builtinKinds, limits, namespace: '' };
    const { decide: once } = compilePolicies(policies, 1, new Collector());
    const results = Array.from({ length: 200 }, () =>
      once({ object }).map((one) => 'skipped' in one && one.skipped.map(({ key }) => key)),
    );
    expect(results[0]).toEqual([]);
    expect(results.at(-1)).toEqual([['p']]);
  });
  it('is not evaluated for policies and reviews', () => {
    const everything = policy({ spec: validation('false') }).replace(
      "[''], apiVersions: [v1], operations: ['*'], resources: [configmaps]",
      "['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']",
    );
    const kinds = [
      ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 0],
      ['admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', 0],
      ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 1],
      ['authorization.k8s.io/v1', 'SelfSubjectAccessReview', 0],
      ['authentication.k8s.io/v1', 'TokenReview', 0],
      ['v1', 'Service', 1],
    ] as const;
    for (const [apiVersion, kind, count] of kinds)
      expect(decide(everything, { object: { apiVersion, kind, metadata: { name: 'x' } } }), kind).toHaveLength(count);
  });
  it('must be bool', () => expect(ofConfig('object.data.a')[0]).toContain('must yield bool'));
  it('must be known', () => expect(ofConfig('objekt.data.a == "1"')[0]).toContain("undeclared reference to 'objekt'"));
});

describe('a policy that an API server rejects', () => {
  const rules = 'apiVersions: [v1], operations: [CREATE], resources: [pods]';
  const constraints = (more: string) => `matchConstraints: {resourceRules: [{${more}}]}`;
  it.each([
    ['matchConstraints: {}', 'Required value'],
    [constraints(`apiGroups: [], ${rules}`), 'Required value'],
    [constraints(`apiGroups: ['*', apps], ${rules}`), 'must not combine * with others'],
    [constraints("apiGroups: [''], apiVersions: [''], operations: [CREATE], resources: [pods]"), 'Required value'],
    [
      constraints("apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: ['*', pods]"),
      'must not be combined with *',
    ],
    [
      constraints("apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods/*, pods/status]"),
      'must not be combined with pods/*',
    ],
    [constraints(`apiGroups: [''], resourceNames: [a, a], ${rules}`), 'Duplicate value'],
    ['validations: [{expression: "true", message: "a\\nb"}]', 'must not contain line breaks'],
    ['validations: [{expression: "true", message: "  "}]', 'must be non-empty if specified'],
    ['paramKind: {apiVersion: a/b/c, kind: A}', 'must be VERSION or GROUP/VERSION'],
    ['variables: [{name: for, expression: "1"}]', 'must be a valid CEL identifier'],
    ['matchConditions: [{name: a, expression: "true"}, {name: a, expression: "true"}]', 'Duplicate value'],
    ['auditAnnotations: [{key: a b, valueExpression: "null"}]', 'must be [prefix/]name'],
  ])('%s', (field, message) => {
    const [name = ''] = field.split(':');
    const text = policy({ spec: validation('true') })
      .split('\n')
      .filter(
        (line) => !line.startsWith(`  ${name}:`) && !(name === 'matchConstraints' && line.includes('resourceRules')),
      );
    const found = decide(text.join('\n').replace('spec:\n', `spec:\n  ${field}\n`), { object: config({}) });
    expect(found).toEqual([expect.stringContaining(message)]);
  });
  it.each([
    ['validationActions: []', 'Required value'],
    ['validationActions: [Deny, Deny]', 'Duplicate value'],
    ['validationActions: [Deny, Warn]', 'must not be set'],
    ['validationActions: [Deny]\nparamRef: {parameterNotFoundAction: Deny}', 'must specify one of name, selector'],
    ['validationActions: [Deny]\nparamRef: {name: a}', 'Required value'],
  ])('a binding: %s', (binding, message) =>
    expect(decide(policy({ spec: validation('true'), binding }), { object: config({}) })[0]).toContain(message),
  );
});

describe('a generated name', () => {
  const generated = { object: config({}, { name: '', generateName: 'c-' }) };
  it('is not known', () =>
    expect(decide(policy({ spec: validation("object.metadata.name.startsWith('d')") }), generated)).toEqual([
      'undecided: fields that the API server sets',
    ]));
  it('is not in the request', () =>
    expect(decide(policy({ spec: validation('has(request.name)') }), generated)).toEqual([
      'Deny: failed expression: has(request.name)',
    ]));
});

describe('the user of a request', () => {
  it.each([
    ["request.userInfo.username == 'me' && request.userInfo.groups == ['admins', 'system:authenticated']", []],
    ['size(request.userInfo.groups) == 2', []],
    ["request.userInfo.groups == ['admins']", ["Deny: failed expression: request.userInfo.groups == ['admins']"]],
  ])('has the given groups, and the one of everybody with a name: %s', (expression, decisions) =>
    expect(
      ofConfig(expression, { a: '1' }, { user: { name: 'me', groups: ['admins', 'system:authenticated'] } }),
    ).toEqual(decisions),
  );
});

describe('what only a cluster knows', () => {
  it.each([
    ["authorizer.group('').resource('pods').check('get').allowed()", 'authorizer'],
    ["authorizer.requestResource.check('get').allowed()", 'authorizer'],
    ["request.userInfo.username == 'me'", 'the user'],
    ["namespaceObject.metadata.labels.a == 'b'", 'namespace'],
    ["object.metadata.uid != ''", 'fields that the API server sets'],
    ["object.metadata.uid == object.data.a || 'me' == object.data.none", 'fields that the API server sets'],
    ['has(request.options.fieldManager)', 'request.options'],
  ])('%s is not decided', (expression, reason) => expect(ofConfig(expression)).toEqual([`undecided: ${reason}`]));
  it.each([
    ["object.data.owner == 'authorizer'"],
    ["object.data.owner == 'namespaceObject'"],
    ["object.data.owner == 'x' && authorizer.path('/').check('get').allowed()"],
    ["authorizer.path('/').check('get').allowed() && object.data.owner == 'x'"],
    ["request.userInfo.username == 'me' && object.data.a == '2'"],
    ["object.data.a == '2' && namespaceObject.metadata.name == 'x'"],
    ["authorizer.path('/').check('get').allowed() ? object.data.none == 'a' : false"],
    ["object.metadata.uid == object.data.none || 'me' == object.data.none"],
    ["['x'].all(one, request.userInfo.username == one && object.data.none == one)"],
    ['authorizer.path(object.data.none).check("get").allowed()'],
    ["[object.data].all(authorizer, authorizer.none == 'x')"],
    ["object.data.exists(authorizer, authorizer == 'b')"],
    ["object.data['authorizer'] == 'x'"],
  ])('%s is denied, whatever it is', (expression) => {
    const [decision, ...others] = ofConfig(expression);
    expect(decision).toMatch(/^Deny: /);
    expect(others).toEqual([]);
  });
  it('hides no denial in a variable', () => {
    const variables = 'variables: [{name: v, expression: \'object.data.none == "authorizer"\'}]';
    const spec = `${variables}\n${validation("variables.v && request.userInfo.username == 'me'")}`;
    expect(decide(policy({ spec }), { object: config({}) })[0]).toMatch(/^Deny: /);
  });
  it('hides no denial behind a condition that may fail but not be false', () => {
    const matches = "request.userInfo.username == 'me' || true";
    const mayFail = 'authorizer.path("/").check("get").allowed() ? object.data.none == "x" : true';
    const withCondition = (expression: string, more = '') =>
      `matchConditions: [{name: c, expression: ${JSON.stringify(expression)}}]\n${more}${validation('false')}`;
    const object = config({});
    expect(decide(policy({ spec: withCondition(matches) }), { object })).toEqual(['Deny: failed expression: false']);
    expect(decide(policy({ spec: withCondition(mayFail) }), { object })).toEqual(['Deny: failed expression: false']);
    expect(decide(policy({ spec: withCondition(mayFail, 'failurePolicy: Ignore\n') }), { object })).toEqual([
      'undecided: authorizer',
    ]);
    expect(decide(policy({ spec: withCondition("request.userInfo.username == 'me'") }), { object })).toEqual([
      'undecided: the user',
    ]);
  });
  it('ignores a failure only if the policy does', () => {
    const spec = validation("object.data.owner == 'x' && request.userInfo.username == 'me'");
    expect(decide(policy({ spec }), { object: config({}) })[0]).toMatch(/^Deny: /);
    expect(decide(policy({ spec: `failurePolicy: Ignore\n${spec}` }), { object: config({}) })).toEqual([
      'undecided: the user',
    ]);
  });
  it('does not matter if something else decides', () =>
    expect(ofConfig("object.data.a == '1' || authorizer.path('/').check('get').allowed()")).toEqual([]));
  it('is the user, unless it is given', () =>
    expect(ofConfig("request.userInfo.username == 'me'", {}, { user: { name: 'me', groups: [] } })).toEqual([]));
  it('is a value of a Secret, for an assistant', () => {
    const ofSecrets = (expression: string) =>
      policy({ spec: validation(expression) }).replace('resources: [configmaps]', 'resources: [secrets]');
    const object: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' } };
    const unknown = { unknownSecrets: 'everywhere' } as const;
    for (const data of [undefined, { a: 'YQ==' }, { b: 'YWE=' }]) {
      const one = data === undefined ? object : { ...object, data };
      const read = (expression: string): string[] => decide(ofSecrets(expression), { object: one }, unknown);
      expect(read("has(object.data) && object.data.a == 'YQ=='")).toEqual(['undecided: a Secret']);
      expect(read("object.metadata.name == 't'")[0]).toMatch(/^Deny: /);
    }
  });
  it('is a parameter', () =>
    expect(
      decide(
        policy({
          spec: `paramKind: {apiVersion: v1, kind: Secret}\n${validation('params.data.a == object.data.a')}`,
          binding: 'validationActions: [Deny]\nparamRef: {name: x, parameterNotFoundAction: Deny}',
        }),
        { object: config({}) },
      ),
    ).toEqual(['undecided: params']));
});

it('a kind of parameters that is not here decides nothing, even if a binding has none', () => {
  const spec = `paramKind: {apiVersion: example.com/v1, kind: Limit}\n${validation('params == null')}`;
  expect(decide(policy({ spec }), { object: config({}) })).toEqual(['undecided: params']);
  expect(
    decide(policy({ spec: spec.replace('example.com/v1, kind: Limit', 'v1, kind: ConfigMap') }), {
      object: config({}),
    }),
  ).toEqual([]);
});

describe('a package', () => {
  const input = (text: string, policies: string) => ({ objects: documents(text), policies: documents(policies) });
  const reportsOf = (text: string, policies: string): string[] =>
    validatePackage(input(text, policies), defaultRenderOptions).reports.map(
      ({ code, severity = 'error', message }) => `${severity} ${code} ${message}`,
    );

  it('reports a denial', () =>
    expect(
      reportsOf(
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ns}, data: {a: b}}',
        policy({ spec: validation('has(object.data.x)', ', message: x is missing') }),
      ),
    ).toEqual(["error policy-denied ConfigMap/ns/c is denied by the policy 'p': x is missing"]));

  it.each([
    ["object.metadata.uid == 'x' || object.metadata.name == 'y'", 'object.metadata.uid'],
    ["object.metadata.generation > 1 && object.metadata.uid == 'x'", 'object.metadata.uid, object.metadata.generation'],
    [
      'size(string(object.metadata.uid)) > [object].map(one, one.metadata.generation)[0]',
      'object.metadata.uid, object.metadata.generation',
    ],
    ["[object.metadata].exists(m, m.name == 'c' && m.uid == 'x')", 'object.metadata.uid'],
  ])('names the fields that decide: %s', (expression, paths) =>
    expect(
      reportsOf(
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ns}}',
        policy({ spec: validation(expression) }),
      ),
    ).toEqual([
      `info policy-undecided the policy 'p' is not decided for ConfigMap/ns/c: it reads fields that only a cluster sets: ${paths}`,
    ]),
  );

  it('names the fields that a variable reads, and those of an item of a list', () => {
    const pod =
      '{apiVersion: v1, kind: Pod, metadata: {name: c, namespace: ns}, spec: {containers: [{name: a, image: b}]}}';
    const ofSpec = (expression: string): string[] => {
      const spec = `variables: [{name: v, expression: object.spec}]\n${validation(expression)}`;
      return reportsOf(pod, policy({ spec }).replace('configmaps', 'pods'));
    };
    expect(ofSpec("variables.v.serviceAccountName == 'x'")[0]).toContain('sets: object.spec.serviceAccountName');
    const ofItems = ofSpec("(variables.v.containers + []).all(c, c.image == 'x') || size(variables.v.containers) > 1");
    expect(ofItems[0]).toContain('error policy-denied');
    const others = `variables: [{name: v, expression: object}]\n${validation("variables.v.status.phase == 'x'")}`;
    const [undecided = ''] = reportsOf(pod, policy({ spec: others }).replace('configmaps', 'pods'));
    expect(undecided).toContain('sets: object.status');
  });

  const configs = (count: number): string =>
    Array.from(
      { length: count },
      (_, index) => `---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: c${index}, namespace: ns}}\n`,
    ).join('');

  it('reports the first denials of a policy one by one, and the others together', () => {
    const reports = reportsOf(configs(103), policy({ spec: validation('false') }));
    expect(reports).toHaveLength(101);
    expect(reports[0]).toMatch(/^error policy-denied ConfigMap\/ns\/c0 /);
    expect(reports[100]).toBe(
      "error policy-denied the policy 'p' also denies ConfigMap/ns/c100, ConfigMap/ns/c101, ConfigMap/ns/c102",
    );
  });

  it('reports the objects for which policies are not evaluated beyond the limit', () => {
    const several = Array.from({ length: 400 }, (_, index) =>
      policy({ spec: validation('true') })
        .replace('name: p}', `name: p${index}}`)
        .replace('name: b}', `name: b${index}}`)
        .replace('policyName: p', `policyName: p${index}`),
    );
    const reports = reportsOf(configs(150), several.join('---\n'));
    expect(reports).toHaveLength(400);
    expect(reports[0]).toMatch(
      /^info policy-undecided the policy 'p0' is not decided for ConfigMap\/ns\/c\d+, .* and \d+ more: the policies together/,
    );
  });

  it('hides values of Secrets', () => {
    const secret = '{apiVersion: v1, kind: Secret, metadata: {name: c, namespace: ns}, stringData: {a: hunter2}}';
    const spec = validation('false', ', messageExpression: "\'got \' + string(object.data.a)", message: not this');
    const [report] = reportsOf(secret, policy({ spec }).replace('configmaps', 'secrets'));
    expect(report).toContain("is denied by the policy 'p': not this");
    expect(report).not.toContain('aHVudGVyMg');
  });

  it('hides values of Secrets that parameters and namespaces have', () => {
    const template = (kind: string, field: string): string =>
      `{apiVersion: v1, kind: ${kind}, metadata: {name: x${field === 'data' ? '' : `, ${field}: {a: '\${string(s.data.p)}'}`}}${field === 'data' ? ", data: {a: '${string(s.data.p)}'}" : ''}}`;
    const graph = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
    - {id: s, externalRef: {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: x}}}
    - {id: a, template: ${template('ConfigMap', 'data').replace('name: x', 'name: x, namespace: x')}}
    - {id: b, template: ${template('Namespace', 'annotations')}}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: app, namespace: x}}
---
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: x}, spec: {ports: [{port: 80}]}}
`;
    const spec = `paramKind: {apiVersion: v1, kind: ConfigMap}
validations:
  - {expression: "params.data.a == ''", messageExpression: "'got ' + params.data.a"}
  - {expression: "namespaceObject.metadata.annotations.a == ''", messageExpression: "'is ' + namespaceObject.metadata.annotations.a"}`;
    const binding = 'validationActions: [Deny]\nparamRef: {name: x, parameterNotFoundAction: Deny}';
    const policies = policy({ spec, binding }).replace('configmaps', 'services');
    const observed = documents(
      '{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: x}, data: {p: aHVudGVyMg==}}',
    );
    const found = validatePackage({ ...input(graph, policies), observed }, defaultRenderOptions).reports;
    expect(found.filter(({ code }) => code === 'policy-denied').map(({ message }) => message)).toEqual([
      "Service/x/web is denied by the policy 'p': failed expression: params.data.a == ''",
      "Service/x/web is denied by the policy 'p': failed expression: namespaceObject.metadata.annotations.a == ''",
    ]);
  });

  it('warns of a binding without a policy', () =>
    expect(
      reportsOf(
        '',
        policy({ spec: validation('true') })
          .split('---')[1]
          ?.replace('{name: b}', '{name: p}') ?? '',
      ),
    ).toEqual(["warning policy-ineffective there is no policy 'p', so that this binding checks nothing"]));

  it('warns of a policy without a binding', () =>
    expect(reportsOf('', policy({ spec: validation('true') }).split('---')[0] ?? '')).toEqual([
      'warning policy-ineffective no binding names this policy, so that it checks nothing',
    ]));
});
