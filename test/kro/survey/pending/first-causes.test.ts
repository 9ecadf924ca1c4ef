import { describe, expect, it } from 'vitest';
import { invoke } from '../../../cli/invoke.ts';

/** An RGD whose instances render the ConfigMap NAME from a value that a node or a reference has. */
const rgd = (kind: string, resources: string) => `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${kind.toLowerCase()}}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    spec: {from: string | default=""}
  resources:${resources}
`;
const map = (text: string) => `
    - id: map
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {text: "${text}"}`;
const service = `
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "\${schema.metadata.name}"}
        spec: {type: LoadBalancer}`;
const reference = `
    - id: other
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.from}"}}`;
const instance = (kind: string, name: string, from = '') =>
  `---\napiVersion: kro.run/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ns}\nspec: {from: "${from}"}\n`;

const first = rgd('First', `${service}${map('${service.status.loadBalancer.ingress[0].ip}')}`);
const next = rgd('Next', `${reference}${map('${other.data.text}')}`);
const errorsOf = (stderr: string): string[] => stderr.split('\n').filter((line) => line.includes('error['));

describe('a node that is pending because of another instance', () => {
  it('is not reported, but the first cause is, with the number of dependants', async () => {
    const chain = ['b', 'c', 'd', 'e'].map((name, index) => instance('Next', name, 'abcd'[index]));
    const { code, stdout, stderr } = await invoke(
      ['render', '-'],
      first + next + chain.join('') + instance('First', 'a'),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [error, ...others] = errorsOf(stderr);
    expect(others).toEqual([]);
    expect(error).toContain('First/a node map');
    expect(error).toContain('waits for status.loadBalancer.ingress[0].ip of Service ns/a');
    expect(error).toContain('4 references depend on it');
  });

  it('is reported for each of several causes', async () => {
    const input = [first, next, instance('First', 'a'), instance('First', 'b'), instance('Next', 'c', 'a')];
    const { stderr } = await invoke(['render', '-', '--report', 'json'], input.join(''));
    const found = JSON.parse(stderr) as { severity: string; message: string }[];
    const errors = found.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message }) => /1 reference depends/.test(message))).toEqual([true, false]);
  });

  it('is reported with its dependencies in a cycle', async () => {
    const input = [next, instance('Next', 'a', 'b'), instance('Next', 'b', 'a')];
    const { code, stderr } = await invoke(['render', '-'], input.join(''));
    expect(code).toBe(1);
    const errors = errorsOf(stderr);
    expect(errors).toHaveLength(2);
    expect(errors[0]).toContain('node map of Next/b renders it, which is pending itself');
    expect(errors[1]).toContain('node map of Next/a renders it, which is pending itself');
  });

  it('is an error if nothing is going to render the value', async () => {
    const { code, stderr } = await invoke(
      ['render', '-'],
      next + instance('Next', 'a', 'nowhere') + instance('Next', 'b', 'a'),
    );
    expect(code).toBe(1);
    expect(errorsOf(stderr)).toHaveLength(1);
    expect(stderr).toContain('ConfigMap ns/nowhere is neither observed');
  });

  it('is omitted with a warning for each if this is requested', async () => {
    const input = [first, next, instance('First', 'a'), instance('Next', 'b', 'a'), instance('Next', 'c', 'b')];
    const { code, stderr } = await invoke(['render', '-', '--on-pending', 'skip'], input.join(''));
    expect(code).toBe(0);
    expect(stderr).toContain('ConfigMap ns/a is neither');
    expect(stderr).toContain('ConfigMap ns/b is neither');
  });
});

describe('a fallback for a value of a status', () => {
  const text = (body: string) => rgd('First', `${service}${map(body)}`) + instance('First', 'a');

  it('is reported, with the object', async () => {
    const input = text("${service.status.?loadBalancer.?ingress[?0].?ip.orValue('none')}");
    const { code, stderr } = await invoke(['render', '-'], input);
    expect(code).toBe(1);
    expect(stderr).toMatch(/waits for status\S* of Service ns\/a/);
    expect(stderr).toContain('hint: render the fallback with --assume-empty-status, or supply it with --observed');
    expect(await invoke(['render', '-', '--assume-empty-status'], input)).toMatchObject({ code: 0 });
  });

  it.each([
    '${service.?status.loadBalancer.ingress.orValue([])[0].ip}',
    '${service.?status.loadBalancer.ingress[0].ip.orValue(\\"\\") + service.status.loadBalancer.ingress[0].ip}',
  ])('is not reported if another part of the expression needs a value: %s', async (expression) => {
    const { stderr } = await invoke(['render', '-'], text(expression));
    expect(stderr).toContain('error[pending-value]');
    expect(stderr).not.toContain('--assume-empty-status');
    expect(await invoke(['render', '-', '--assume-empty-status'], text(expression))).toMatchObject({ code: 1 });
  });

  const each = (body: string): string =>
    text(body)
      .replace('    - id: map\n', "    - id: map\n      forEach: [{letter: \"${['a', 'b']}\"}]\n")
      .replace('name: "${schema.metadata.name}"}\n        data', 'name: "x-${letter}"}\n        data');
  const read = 'service.status.?loadBalancer.ingress[0].ip.orValue(letter)';

  it.each([
    [`\${${read}}`, 0],
    [`\${string(int(${read}))}`, 1],
    [`\${dyn(${read} == '' ? dyn('b') : dyn(b'c'))}`, 1],
  ])('is evaluated with an item of a collection: %s', async (expression, code) => {
    const { stderr } = await invoke(['render', '-'], each(expression));
    expect(stderr).toContain('error[pending-value]');
    expect(stderr.includes('--assume-empty-status')).toBe(code === 0);
    expect(await invoke(['render', '-', '--assume-empty-status'], each(expression))).toMatchObject({ code });
  });

  it('is not reported if there is none', async () => {
    const { stderr } = await invoke(['render', '-'], text('${service.status.loadBalancer.ingress[0].ip}'));
    expect(stderr).not.toContain('--assume-empty-status');
  });
});
