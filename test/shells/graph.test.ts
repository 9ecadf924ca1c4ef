import { describe, expect, it } from 'vitest';
import { everything } from '../graph/packages.ts';
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
    [['--rgd', 'none'], 'render-rgd: graph: there is no RGD none; there is inner, outer\n'],
    [['--instance', 'Outer/x'], 'render-rgd: graph: there is no instance Outer/x; there is Outer/ns/o\n'],
    [['--instance', 'o'], "render-rgd: graph: 'o' is not of the form KIND/NAME or KIND/NAMESPACE/NAME\n"],
  ])('%j is an error', async (args, stderr) => {
    expect(await invoke(['graph', '-', ...args], everything)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('needs an RGD', async () => {
    const { code, stdout, stderr } = await invoke(
      ['graph', '-'],
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}',
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'render-rgd: graph: there is no RGD to draw\n',
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

  it('takes an instance or RGDs', async () => {
    expect((await invoke(['graph', '-', '--rgd', 'a', '--instance', 'A/a'], everything)).code).toBe(2);
  });
});
