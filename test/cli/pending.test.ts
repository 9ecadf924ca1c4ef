import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const example = fileURLToPath(new URL('../../examples/pending', import.meta.url));
const site = `${example}/site`;
const observed = ['--observed', `${example}/observed.yaml`];

describe('pending', () => {
  it('prints a list, and exits with 0 although a node is pending', async () => {
    const { code, stdout, stderr } = await invoke(['pending', site]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Service web\/blog\n {2}status\.\S+\n {4}Site web\/blog node settings data\.url: /);
  });

  it('prints JSON', async () => {
    const { stdout } = await invoke(['pending', site, '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual([
      {
        instance: { kind: 'Site', namespace: 'web', name: 'blog' },
        node: 'settings',
        field: 'data.url',
        expression: 'front.status.loadBalancer.ingress[0].hostname',
        optional: false,
        object: { apiVersion: 'v1', kind: 'Service', namespace: 'web', name: 'blog' },
        path: 'status.loadBalancer.ingress[0].hostname',
      },
    ]);
    expect((await invoke(['pending', site, ...observed, '-o', 'json'])).stdout).toBe('[]\n');
  });

  it('prints commands', async () => {
    const { stdout } = await invoke(['pending', site, '--kubectl']);
    expect(stdout).toBe('kubectl get --namespace=web -o yaml --ignore-not-found -- Service.v1. blog\n');
  });

  it('reports that nothing is pending', async () => {
    expect(await invoke(['pending', site, ...observed])).toEqual({
      code: 0,
      stdout: 'nothing is pending\n',
      stderr: '',
    });
  });

  it('reports the errors of a package as render does', async () => {
    const text = `${readFileSync(`${site}/rgd.yaml`, 'utf8')}---\n${readFileSync(`${site}/blog.yaml`, 'utf8')}`;
    const { code, stdout, stderr } = await invoke(['pending', '-'], text.replace('spec: {}', 'spec: {image: 7}'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[instance-type]');
  });

  it.each([
    [['pending'], 'error[command-line]: pending needs a PATH; - reads standard input\n'],
    [['pending', 'x', '--from', 'y'], 'error[command-line]: unknown option --from\n'],
    [['render', 'x', '--kubectl'], 'error[command-line]: unknown option --kubectl\n'],
  ])('%j: exit code 2', async (args, stderr) => {
    expect(await invoke(args)).toEqual({ code: 2, stdout: '', stderr });
  });
});
