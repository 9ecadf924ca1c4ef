import { describe, expect, it } from 'vitest';
import { everything, instance, rgd } from '../explain/packages.ts';
import { invoke } from './invoke.ts';

describe('explain', () => {
  it('lists the nodes of an instance, and exits with 0 although something waits', async () => {
    const { code, stdout, stderr } = await invoke(['explain', 'Thing/t', '-'], everything);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Thing\/t \(RGD thing\)\n {2}main2 {5}included {2}it has no conditions/);
  });

  it('tells of a node and of a field', async () => {
    expect((await invoke(['explain', 'Thing/t', 'maybe', '-'], everything)).stdout).toMatch(
      /^node maybe \(ConfigMap\) is skipped/,
    );
    expect((await invoke(['explain', 'ConfigMap/ns/t', '.data.size', '-'], everything)).stdout).toMatch(
      /^data\.size of ConfigMap\/ns\/t = "4"\n/,
    );
    expect((await invoke(['explain', 'Thing/inner', 'main', '-'], everything)).stdout).toContain('= "42"');
  });

  it('prints JSON', async () => {
    const list = JSON.parse((await invoke(['explain', 'Thing/t', '-', '-o', 'json'], everything)).stdout);
    expect(list.nodes[2]).toEqual({
      id: 'maybe',
      kind: 'ConfigMap',
      verdict: 'skipped',
      why: 'a condition of includeWhen is false',
      objects: [],
    });
    const node = JSON.parse((await invoke(['explain', 'Thing/t', 'maybe', '-', '-o', 'json'], everything)).stdout);
    expect(node.place).toEqual({ file: '-', line: expect.any(Number), column: 7 });
    expect(node.conditions[0]).toMatchObject({ value: false, hidden: false });
    const field = JSON.parse(
      (await invoke(['explain', 'ConfigMap/ns/t', '.data.size', '-o', 'json', '-'], everything)).stdout,
    );
    expect(field).toMatchObject({
      field: 'data.size',
      value: '4',
      origin: { from: 'expression', behind: [{ from: 'default', value: 2 }] },
    });
  });

  it.each([
    [
      ['Thing/x', '-'],
      'explain: there is no instance Thing/x; there is Thing/ns/t, Outer/other/o, Thing/other/inner\n',
    ],
    [['Thing/t', 'mayb', '-'], "explain: the RGD thing has no node mayb; did you mean 'maybe'?\n"],
    [
      ['Thing/t', 'zzzzzz', '-'],
      'explain: the RGD thing has no node zzzzzz; the nodes are main, main2, maybe, reader, many, late, balancer, after, kept, leak; a folder is ./zzzzzz\n',
    ],
    [
      ['ConfigMap/ns/t', '.data.x', '-'],
      'explain: ConfigMap/ns/t has no field data.x: there is no x in data; there is size, plain, text\n',
    ],
  ])('%j: exit code 1', async (args, fault) => {
    expect(await invoke(['explain', ...args], everything)).toEqual({
      code: 1,
      stdout: '',
      stderr: `render-rgd: ${fault}`,
    });
  });

  it('reports why an instance is none', async () => {
    const { code, stdout, stderr } = await invoke(
      ['explain', 'Thing/t', '-'],
      `${rgd}---\n${instance.replace('hosts:', 'hots:')}`,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[instance-unknown-field]');
  });

  it.each([
    [[], 'explain needs KIND/NAME and a PATH; - reads standard input'],
    [['Thing/t'], 'explain needs KIND/NAME and a PATH; - reads standard input'],
    [['Thing/t', '.spec'], 'explain needs KIND/NAME and a PATH; - reads standard input'],
    [['Thing', '-'], "explain: 'Thing' is not of the form KIND/NAME or KIND/NAMESPACE/NAME"],
    [
      ['Thing/t', '.a..b', '-'],
      'explain: \'.a..b\' is no field; write .spec.ports[0].name or .metadata.labels["a.b/c"]',
    ],
  ])('%j: exit code 2', async (args, fault) => {
    expect(await invoke(['explain', ...args])).toEqual({ code: 2, stdout: '', stderr: `render-rgd: ${fault}\n` });
  });
});
