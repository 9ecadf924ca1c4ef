import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Language } from './language.ts';

const example = (path: string): string =>
  readFileSync(new URL(`../../examples/policies/${path}`, import.meta.url), 'utf8');

it('a denial is reported at the line of the template, while the instance is edited', () => {
  const language = new Language();
  const files = { 'render-rgd.yaml': 'policies: [policies]\n' };
  for (const path of ['platform.yaml', 'policies/replicas.yaml', 'shop.yaml']) {
    Object.assign(files, { [path]: example(path) });
  }
  for (const [path, text] of Object.entries(files)) language.workspace.setFile(`file:///repo/${path}`, text);
  const template = 'file:///repo/platform.yaml';
  while (language.checkNext());
  expect(language.diagnostics(template)).toEqual([]);
  language.workspace.setFile('file:///repo/shop.yaml', example('shop.yaml').replace('replicas: 3', 'replicas: 10'));
  while (language.checkNext());
  const line = example('platform.yaml')
    .split('\n')
    .indexOf(`${' '.repeat(10)}replicas: \${schema.spec.replicas}`);
  expect(line).toBeGreaterThan(0);
  expect(language.diagnostics(template)).toMatchObject([
    { code: 'policy-denied', message: expect.stringContaining('at most 5 replicas'), range: { start: { line } } },
  ]);
});

describe('an expression of a policy', () => {
  const uri = 'file:///repo/policy.yaml';
  /** Returns a language and the position of `^` in a policy for Deployments and StatefulSets. */
  const at = (field: string, more = '') => {
    const text = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments, statefulsets]}]
  variables: [{name: replicas, expression: object.spec.replicas}]
  ${field}
${more}`;
    const offset = text.indexOf('^');
    const before = text.slice(0, offset).split('\n');
    const language = new Language();
    language.workspace.setFile(uri, text.replace('^', ''));
    while (language.checkNext());
    return { language, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  };
  const completed = (field: string): string[] => {
    const { language, position } = at(field);
    return language.completions(uri, position).map(({ label }) => label);
  };
  const hovered = (field: string): string => {
    const { language, position } = at(field);
    return JSON.stringify(language.hover(uri, position)?.contents ?? '');
  };

  it.each([
    [
      'validations: [{expression: "^"}]',
      ['object', 'oldObject', 'params', 'request', 'namespaceObject', 'variables', 'authorizer'],
    ],
    ['validations: [{expression: "object.spec.^"}]', ['replicas', 'strategy', 'serviceName']],
    ['validations: [{expression: "oldObject.metadata.^"}]', ['labels', 'name']],
    ['validations: [{expression: "params.^"}]', ['data', 'binaryData']],
    ['validations: [{expression: "request.^"}]', ['operation', 'userInfo', 'namespace']],
    ['validations: [{expression: "namespaceObject.metadata.^"}]', ['labels', 'name']],
    ['validations: [{expression: "variables.^"}]', ['replicas']],
    ['validations: [{expression: "authorizer.group(\'\').^"}]', ['resource']],
    ['validations: [{expression: "object.spec.template.spec.containers.all(c, c.^)"}]', ['image', 'resources']],
    ['validations: [{expression: "true", messageExpression: "object.metadata.^"}]', ['name']],
    ['auditAnnotations: [{key: a, valueExpression: "object.metadata.^"}]', ['name']],
    ['matchConditions: [{name: a, expression: "request.^"}]', ['operation']],
    ['validations:\n    - expression: >-\n        object.metadata.name != "" &&\n        object.spec.^', ['replicas']],
  ])('%s completes', (field, labels) => expect(completed(field)).toEqual(expect.arrayContaining(labels)));
  it('knows no variables in a condition, and no authorizer in a message', () => {
    expect(completed('matchConditions: [{name: a, expression: "^"}]')).not.toContain('variables');
    expect(completed('validations: [{expression: "true", messageExpression: "^"}]')).not.toContain('authorizer');
  });
  it('has a hover', () => {
    expect(hovered('validations: [{expression: "object.spec.repl^icas > 1"}]')).toContain('replicas: int');
    expect(hovered('validations: [{expression: "variables.repl^icas > 1"}]')).toContain('replicas: int');
    expect(hovered('validations: [{expression: "obj^ect.spec.replicas > 1"}]')).toContain('object: object');
    expect(hovered('validations: [{expression: "h^as(object.spec.replicas)"}]')).toContain('has(');
    expect(hovered('validations: [{expression: "authorizer.gro^up(\'\') != null"}]')).toContain('group(string)');
  });
  it('has diagnostics at their column, without an RGD', () => {
    const { language, position } = at('validations: [{expression: "true && object.spec.^replica > 1"}]');
    expect(language.diagnostics(uri)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ code: 'policy-type', range: expect.objectContaining({ start: position }) }),
      ]),
    );
  });
});
