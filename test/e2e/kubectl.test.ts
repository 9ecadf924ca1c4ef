import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getLine } from '../../src/kubernetes/kubectl/index.ts';
import { execute, findTool, sandbox } from './sandbox.ts';

/** A cluster that does not exist, with a user whose credentials come from a command that leaves a trace. */
const kubeconfig = (command: string): string => `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: sh
      args: ["-c", "touch ${command}"]
      interactiveMode: Never
`;

/** CI has no kubectl; test/kubectl covers the shell. */
const kubectl = findTool('kubectl');

describe.skipIf(kubectl === undefined)('kubectl', () => {
  const traces = (name: string, namespace: string): boolean[] => {
    const cwd = sandbox();
    writeFileSync(join(cwd, 'own.yaml'), kubeconfig('own'));
    writeFileSync(join(cwd, 'evil.yaml'), kubeconfig('evil'));
    const line = getLine({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });
    const env = {
      ...process.env,
      PATH: `${dirname(kubectl ?? '')}:${process.env.PATH}`,
      KUBECONFIG: 'own.yaml',
      HOME: cwd,
    };
    const { stderr } = execute('sh', ['-c', line], { cwd, env });
    // kubectl accepted its flags, whatever the operands.
    expect(stderr).not.toMatch(/unknown (shorthand )?flag|accepts|required resource not specified/);
    return ['own', 'evil'].map((file) => existsSync(join(cwd, file)));
  };

  it.each([
    ['blog', 'web'],
    ['--kubeconfig=evil.yaml', 'web'],
    ['-A', ''],
    ['blog', '--kubeconfig=evil.yaml'],
  ])('reads %s in %s as names', (name, namespace) => expect(traces(name, namespace)).toEqual([true, false]));
});
