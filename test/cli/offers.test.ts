import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rgd } from '../describe/explain/packages.ts';
import { invoke } from './invoke.ts';

const two = `${rgd}---\n${rgd.replace('name: thing', 'name: other').replace('    kind: Thing', '    kind: Thing\n    group: other.example.com')}`;

describe('the output of instance, schema and docs', () => {
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

  it('names the rule that a sample cannot follow', async () => {
    const ruled = rgd
      .replace('default=2', 'default=2 validation="self > 5"')
      .replace('| default=2 ', '| required=true ');
    const { code, stdout, stderr } = await invoke(['instance', 'Thing', '-'], ruled);
    expect(code).toBe(0);
    expect(stdout).toContain('must hold: self > 5');
    expect(stderr).toContain('warning[sample-incomplete]: the sample is not valid yet; fill in:\n    spec.size: ');
  });

  it.each([
    [['instance', 'Thin', '-'], "error[not-found]: no RGD defines Thin; did you mean 'Thing'?\n"],
    [['schema', 'Other', '-'], 'error[not-found]: no RGD defines Other; there is Thing\n'],
  ])('%j: exit code 1', async (args, stderr) => {
    expect(await invoke(args, rgd)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('is an error if two kinds are possible', async () => {
    const { code, stderr } = await invoke(['instance', 'Thing', '-'], two);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error[not-found]: several RGDs define Thing: write Thing.kro.run or Thing.other.example.com\n',
    });
  });

  it('requires an RGD', async () => {
    const { code, stderr } = await invoke(['docs', '-'], '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error[not-found]: there is no RGD\n' });
  });

  it.each([
    [['instance'], 'instance needs KIND and a PATH; - reads standard input'],
    [['schema'], 'schema needs KIND and a PATH, or rgd, or config'],
    [['schema', 'Thing'], 'schema needs KIND and a PATH, or rgd, or config'],
    [['docs'], 'docs needs a PATH; - reads standard input'],
    [['docs', '-', '-o', 'json'], 'unknown option -o; the command prints one format'],
  ])('%j: exit code 2', async (args, fault) => {
    const { code, stderr } = await invoke(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(`^error\\[command-line\\]: ${fault}`) });
  });
});

describe('the files of instance, schema and docs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'render-rgd-offers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('contain one schema for each kind, one for RGDs, and one that selects by kind', async () => {
    const { code, stdout, stderr } = await invoke(['schema', '-', '--output-dir', join(folder, 'schemas')], two);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ 'yaml.schemas': { [join(folder, 'schemas/all.json')]: ['*.yaml', '*.yml'] } });
    expect(JSON.parse(read('schemas/thing.kro.run.json')).properties.apiVersion).toEqual({ const: 'kro.run/v1alpha1' });
    const all = JSON.parse(read('schemas/all.json'));
    expect(all.allOf.map((one: { then: object }) => one.then)).toEqual([
      { $ref: 'thing.kro.run.json' },
      { $ref: 'thing.other.example.com.json' },
      { $ref: 'rgd.json' },
    ]);
    expect(all.defaultSnippets).toHaveLength(3);
    expect(JSON.parse(read('schemas/rgd.json')).title).toBe('ResourceGraphDefinition');
  });

  it('contain descriptions and snippets for editors', async () => {
    const schema = JSON.parse((await invoke(['schema', 'Thing', '-'], rgd)).stdout);
    expect(schema.defaultSnippets).toMatchObject([{ label: 'Thing', body: { kind: 'Thing' } }]);
    expect(schema.properties.spec.properties.size.markdownDescription).toContain('**integer**, default `2`');
  });

  it('are updated between the markers of a page', async () => {
    const file = join(folder, 'README.md');
    const text = '# Mine\n\n<!-- render-rgd docs begin -->\nold\n<!-- render-rgd docs end -->\n\nrest\n';
    writeFileSync(file, text);
    expect(await invoke(['docs', '-', '--inject', file], rgd)).toEqual({ code: 0, stdout: '', stderr: '' });
    const written = readFileSync(file, 'utf8');
    expect(written).toMatch(/^# Mine\n\n<!-- render-rgd docs begin -->\n\n## Thing\n[\s\S]*-->\n\nrest\n$/);
    expect(written).not.toContain('old');
    writeFileSync(file, 'no markers');
    expect((await invoke(['docs', '-', '--inject', file], rgd)).stderr).toContain('error[unwritable-file]');
  });
});

describe('a reference page', () => {
  it('contains an example and the graph', async () => {
    const { stdout } = await invoke(['docs', '-'], rgd);
    expect(stdout).toMatch(/## Example\n\n```yaml\napiVersion: /);
    expect(stdout).toMatch(/## Graph\n\n```mermaid\nflowchart LR\n/);
  });
});
