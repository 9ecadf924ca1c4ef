import { describe, expect, it } from 'vitest';
import { everything } from '../describe/graph/packages.ts';
import { invoke } from './invoke.ts';

describe('graph', () => {
  it.each([
    [[], /^flowchart LR\n {2}subgraph g0\["inner \(Inner\)"\]/],
    [['-o', 'dot'], /^digraph rgds \{\n/],
    [['-o', 'svg'], /^<svg [\s\S]*<\/svg>\n$/],
    [['--rgd', 'outer'], /^flowchart LR\n {2}subgraph g0\["outer \(Outer\)"\]/],
    [
      ['--instance', 'Outer/o'],
      /^flowchart LR\n {2}subgraph g0\["outer \(Outer#47;o\)"\]|^flowchart LR\n {2}subgraph g0\["outer \(Outer\/o\)"\]/,
    ],
    [['--instance', 'Outer/ns/o'], /class n0_5 pending/],
  ])('%j', async (args, expected) => {
    const { code, stdout, stderr } = await invoke(['graph', '-', ...args], everything);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(expected);
  });

  it.each([
    [['--rgd', 'none'], 'error[not-found]: there is no RGD none; there is inner, outer\n'],
    [['--instance', 'Outer/x'], 'error[not-found]: there is no instance Outer/x; there is Outer/ns/o\n'],
    [['--instance', 'o'], "error[not-found]: 'o' is not of the form KIND/NAME or KIND/NAMESPACE/NAME\n"],
  ])('%j is an error', async (args, stderr) => {
    expect(await invoke(['graph', '-', ...args], everything)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('requires an RGD', async () => {
    const { code, stdout, stderr } = await invoke(
      ['graph', '-'],
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}',
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error[not-found]: no RGD found\n',
    });
  });

  it('reports the errors of a package', async () => {
    const { code, stdout, stderr } = await invoke(
      ['graph', '-'],
      everything.replace('schema.spec.text', 'schema.spec.txt'),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[expression-type]');
  });

  it('accepts an instance or RGDs', async () => {
    expect((await invoke(['graph', '-', '--rgd', 'a', '--instance', 'A/a'], everything)).code).toBe(2);
  });

  it('supports another direction, labels, and the width of a README', async () => {
    const options = ['--direction', 'BT', '--edge-labels'];
    expect((await invoke(['graph', '-', ...options], everything)).stdout).toMatch(/^flowchart BT\n[\s\S]*-->\|"/);
    const { stdout } = await invoke(['graph', '-', '-o', 'svg', '--width', '300'], everything);
    expect(stdout).toMatch(/ width="300" height="\d+">/);
    expect((await invoke(['graph', '-', '--width', 'wide'], everything)).code).toBe(2);
  });
});

describe('the output beside a broken RGD', () => {
  const rgd = (kind: string, expression: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: ${kind.toLowerCase()} }
spec:
  schema: { apiVersion: v1, kind: ${kind}, spec: { a: string | default="x" } }
  resources:
    - { id: map, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: m }, data: { a: "\${${expression}}" } } }
`;
  const both = `${rgd('Fine', 'schema.spec.a')}---\n${rgd('Broken', 'schema.spec.b')}`;

  it.each([
    [['graph', '-'], 'fine (Fine)'],
    [['graph', '-', '--rgd', 'fine'], 'fine (Fine)'],
    [['docs', '-'], '# Fine'],
    [['instance', 'Fine', '-'], 'kind: Fine'],
    [['schema', 'Fine', '-'], '"title": "Fine"'],
  ])('contains the other RGDs, with its errors: %j', async (args, expected) => {
    const { code, stdout, stderr } = await invoke(args, both);
    expect(code).toBe(1);
    expect(stdout).toContain(expected);
    expect(stdout).not.toContain('Broken');
    expect(stderr).toContain('error[expression-type] ResourceGraphDefinition/broken');
  });

  it('contains the other RGDs if it is not YAML', async () => {
    const { code, stdout, stderr } = await invoke(['docs', '-'], `${rgd('Fine', 'schema.spec.a')}---\nkind: [\n`);
    expect({ code, isThere: stdout.includes('# Fine') }).toEqual({ code: 1, isThere: true });
    expect(stderr).toContain('error[yaml-syntax]');
  });

  it('does not contain the broken RGD', async () => {
    const { code, stdout, stderr } = await invoke(['schema', 'Broken', '-'], both);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[expression-type]');
  });
});
