import { describe, expect, it } from 'vitest';
import { rgd } from '../explain/packages.ts';
import { invoke } from './invoke.ts';

const two = `${rgd}---\n${rgd.replace('name: thing', 'name: other').replace('    kind: Thing', '    kind: Thing\n    group: other.example.com')}`;

describe('what an RGD offers', () => {
  it.each([
    [['instance', 'Thing', '-'], /^## Thing, which the ResourceGraphDefinition thing defines\.\n/],
    [['schema', 'Thing', '-'], /^\{\n {2}"\$schema"/],
    [['schema', 'Thing.kro.run', '-'], /"title": "Thing"/],
    [['docs', '-'], /^# Thing\n/],
    [['schema', 'config'], /"title": "RenderRGD"/],
  ])('%j', async (args, expected) => {
    const { code, stdout, stderr } = await invoke(args, rgd);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(expected);
  });

  it('says which rule a sample cannot follow', async () => {
    const ruled = rgd
      .replace('default=2', 'default=2 validation="self > 5"')
      .replace('| default=2 ', '| required=true ');
    const { code, stdout, stderr } = await invoke(['instance', 'Thing', '-'], ruled);
    expect(code).toBe(0);
    expect(stdout).toContain('must hold: self > 5');
    expect(stderr).toContain('render-rgd: the sample is not valid yet; fill in:\n  spec.size: ');
  });

  it.each([
    [['instance', 'Thin', '-'], "render-rgd: instance: no RGD defines Thin; did you mean 'Thing'?\n"],
    [['schema', 'Other', '-'], 'render-rgd: schema: no RGD defines Other; there is Thing\n'],
  ])('%j: exit code 1', async (args, stderr) => {
    expect(await invoke(args, rgd)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('asks which of two kinds is meant', async () => {
    const { code, stderr } = await invoke(['instance', 'Thing', '-'], two);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'render-rgd: instance: several RGDs define Thing: write Thing.kro.run or Thing.other.example.com\n',
    });
  });

  it('needs an RGD', async () => {
    const { code, stderr } = await invoke(['docs', '-'], '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'render-rgd: docs: there is no RGD\n' });
  });

  it.each([
    [['instance'], 'instance needs KIND and a PATH; - reads standard input'],
    [['schema'], 'schema needs KIND and a PATH, or rgd, or config'],
    [['schema', 'Thing'], 'schema needs KIND and a PATH, or rgd, or config'],
    [['docs'], 'docs needs a PATH; - reads standard input'],
    [['docs', '-', '-o', 'json'], 'unknown option -o'],
  ])('%j: exit code 2', async (args, fault) => {
    const { code, stderr } = await invoke(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(`^render-rgd: ${fault}`) });
  });
});
