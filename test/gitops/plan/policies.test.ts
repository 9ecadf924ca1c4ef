import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { planChange } from '../../../src/gitops/plan/index.ts';
import { deployedPolicies } from '../../../src/gitops/plan/policies.ts';
import { createRepositories } from '../../../src/gitops/plan/repository.ts';
import { createSide } from '../../../src/gitops/plan/side.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { filesOf, instance, type Texts, WEB } from './repository.ts';

interface Rule {
  expression: string;
  messageExpression?: string;
}

/** A policy for ConfigMaps, and its binding. */
const policy = (rules: readonly Rule[], actions = '[Deny]'): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: pages}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
  validations: ${JSON.stringify(rules)}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: pages}
spec: {policyName: pages, validationActions: ${actions}}
`;

const deploys = (name: string, path: string, server = 'https://a.example'): string => `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: ${name} }
spec:
  project: default
  destination: { namespace: web, server: '${server}' }
  source: { repoURL: https://example.com/r.git, path: ${path} }
`;

const base: Texts = {
  'argo/web.yaml': deploys('web', 'web'),
  'argo/rules.yaml': deploys('rules', 'rules'),
  'web/rgd.yaml': WEB,
};

interface Said {
  denied: string[];
  reports: string[];
}

/** Returns the denials of a change, and what else is said of policies. */
function said(before: Texts, after: Texts, given = '', as = ''): Said {
  const [was, is] = [before, after].map((texts): Texts => ({ ...base, ...texts })) as [Texts, Texts];
  const changed = [...Object.keys(was), ...Object.keys(is)].filter((path) => was[path] !== is[path]);
  const policies = readStreams([{ file: 'given.yaml', text: given }], new Collector());
  const plan = planChange(
    { before: filesOf(was), after: filesOf(is), changed: new Set(changed), policies },
    { settings: { ...defaultSettings, as }, urls: ['https://example.com/r.git'], holdsData: [] },
  );
  return {
    denied: plan.dangers.filter(({ code }) => code === 'danger-denied').map(({ message }) => message),
    reports: plan.reports.map(({ code, severity, message }) => `${severity} ${code} ${message}`),
  };
}

const titled = (name: string, title: string): string => instance(name, `{title: ${title}}`);
const RULES: readonly Rule[] = [
  {
    expression: "request.operation != 'CREATE' || object.data.title != 'Bad'",
    messageExpression: "'not ' + object.data.title",
  },
  {
    expression: "request.operation != 'UPDATE' || object.data.title == oldObject.data.title",
    messageExpression: "oldObject.data.title + ' stays, not ' + object.data.title",
  },
  {
    expression: "request.operation != 'DELETE' || oldObject.data.title != 'Kept'",
    messageExpression: "'keep ' + oldObject.metadata.name + (object == null ? '' : '?')",
  },
];

describe('the admission policies of a repository', () => {
  const rules = { 'rules/pages.yaml': policy(RULES) };

  it('deny the creation, the update and the deletion of objects', () => {
    const before = { ...rules, 'web/a.yaml': titled('a', 'One'), 'web/b.yaml': titled('b', 'Kept') };
    const after = { ...rules, 'web/a.yaml': titled('a', 'Two'), 'web/c.yaml': titled('c', 'Bad') };
    const { denied, reports } = said(before, after);
    expect(denied.sort()).toEqual([
      "ConfigMap web/a: the update is denied by the policy 'pages': One stays, not Two",
      "ConfigMap web/b: the deletion is denied by the policy 'pages': keep b",
      "ConfigMap web/c: the creation is denied by the policy 'pages': not Bad",
    ]);
    expect(reports).toEqual([]);
  });

  it('warn', () =>
    expect(said({}, { 'rules/pages.yaml': policy(RULES, '[Warn]'), 'web/c.yaml': titled('c', 'Bad') }).denied).toEqual([
      "ConfigMap web/c: the creation gets a warning of the policy 'pages': not Bad",
    ]));

  it('are rendered once', () => {
    const repository = createRepositories()(filesOf({ ...base, 'rules/policy.yaml': policy(RULES) }));
    const options = { settings: defaultSettings, urls: ['https://example.com/r.git'] };
    const side = createSide(repository, options, undefined);
    deployedPolicies(side, [], defaultSettings);
    const [rules] = side.applications.filter(({ name }) => name === 'rules');
    if (rules === undefined) throw new Error('the application is not found');
    const version = side.render(rules);
    expect(version.objects).toHaveLength(2);
    expect(side.render(rules)).toBe(version);
  });

  it('are those of the newer version', () =>
    expect(said(rules, { 'rules/pages.yaml': '', 'web/c.yaml': titled('c', 'Bad') }).denied).toEqual([]));

  it('are those of the cluster of the application', () => {
    const change = { ...rules, 'web/c.yaml': titled('c', 'Bad') };
    const elsewhere = { 'argo/rules.yaml': deploys('rules', 'rules', 'https://b.example') };
    expect(said({}, { ...change, ...elsewhere }).denied).toEqual([]);
  });

  it('are deployed, or said to be ignored', () => {
    const change = { 'argo/rules.yaml': '', ...rules, 'web/c.yaml': titled('c', 'Bad') };
    expect(said({}, change)).toEqual({
      denied: [],
      reports: [
        'info policy-not-evaluated nothing here deploys the policies of rules/pages.yaml, which are not evaluated',
      ],
    });
  });

  it('may be given', () =>
    expect(said({}, { 'web/c.yaml': titled('c', 'Bad') }, policy(RULES)).denied).toHaveLength(1));

  it('may not decide', () => {
    const asks = policy([{ expression: "request.userInfo.username != 'joe'" }]);
    const undecided = said({}, { 'web/c.yaml': titled('c', 'Good') }, asks);
    expect(undecided).toEqual({
      denied: [],
      reports: [
        "info policy-undecided the policy 'pages' is not decided for ConfigMap web/c: it reads request.userInfo",
      ],
    });
    expect(said({}, { 'web/c.yaml': titled('c', 'Good') }, asks, 'joe').denied).toHaveLength(1);
  });

  it('may be invalid', () =>
    expect(said({}, { 'web/c.yaml': titled('c', 'Good') }, policy([{ expression: 'objekt == null' }])).reports).toEqual(
      ["warning policy-invalid the expression is wrong: undeclared reference to 'objekt'"],
    ));
});
