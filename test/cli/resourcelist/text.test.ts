import { describe, expect, it } from 'vitest';
import { getAt } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { note, noteRgd, runFunction } from './packages.ts';

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n';
const indented = (text: string): string =>
  text
    .trim()
    .replace(/^(?=[^\n])/gm, '  ')
    .slice(2);
/** Returns a ResourceList of these objects as text. */
const listText = (...items: string[]): string => HEAD + items.map((item) => `- ${indented(item)}\n`).join('');
const MARKED = 'config.kubernetes.io/local-config: "true"\n      render-rgd.dev/marked: local-config\n';

describe('the text of a ResourceList', () => {
  it('keeps an object on which YAML readers disagree, or with duplicate keys', async () => {
    const odd = `
apiVersion: example.com/v1
kind: Chart
metadata: {name: mine, labels: {version: 1.10, on: y}}
spec:
  y: 2 # height
  on: 3
  mode: 0777
  version: 1.10
  big: 12345678901234567890
  ? [a]
  : .inf
`;
    const { code, stdout, stderr, results } = await runFunction(listText(odd, noteRgd, note('a')));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`- ${indented(odd)}\n`);
    const said = results.filter((result) => getAt(result, ['resourceRef', 'name']) === 'mine');
    expect(said.map(({ severity }) => severity)).toEqual(said.map(() => 'info'));
    expect(said.map((result) => getAt(result, ['field', 'path']))).toEqual(
      expect.arrayContaining(['spec.true', 'metadata.labels.version']),
    );
  });

  it('is returned unchanged, with an error, if an input object cannot be parsed', async () => {
    const input = listText(noteRgd, note('a', '\n  text: x\n  ? [a]\n  : b'));
    const { code, stdout, results } = await runFunction(input);
    expect(code).toBe(1);
    expect(stdout.startsWith(input)).toBe(true);
    expect(results.filter(({ severity }) => severity === 'error')).toMatchObject([
      { severity: 'error', resourceRef: { kind: 'Note', name: 'a' }, tags: { code: 'yaml-value' } },
    ]);
  });

  it.each(['|', '|-', '|+', '>'])(
    'has the start of an item after a comment after a block scalar (%s)',
    async (header) => {
      const chart = `apiVersion: example.com/v1\nkind: Chart\nmetadata: {name: c}\nbody:\n- text: ${header}\n    y`;
      const list = HEAD + [noteRgd, chart, note('a')].map((item) => `- ${indented(item)}\n`).join('# between\n');
      const { code, stdout, stderr } = await runFunction(list);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`# between\n- ${indented(chart)}\n# between\n`);
    },
  );

  it.each([
    [
      'metadata:\n    name: a\n    namespace: desk\n',
      `metadata:\n    name: a\n    namespace: desk\n    annotations:\n      ${MARKED}`,
    ],
    [
      'metadata:\n    annotations:\n      x: z # beside\n      # behind\n    name: a\n',
      `metadata:\n    annotations:\n      x: z # beside\n      ${MARKED}      # behind\n    name: a\n`,
    ],
    [
      'metadata: {name: a}\n',
      'metadata: {name: a, annotations: {config.kubernetes.io/local-config: "true", render-rgd.dev/marked: "local-config"}}\n',
    ],
    [
      'metadata: {"name": "a", "annotations": {}}\n',
      'metadata: {"name": "a", "annotations": {config.kubernetes.io/local-config: "true", render-rgd.dev/marked: "local-config"}}\n',
    ],
    [
      'metadata:\n    name: a\n    annotations: {config.kubernetes.io/local-config: "false"} # was\n',
      'metadata:\n    name: a\n    annotations: {config.kubernetes.io/local-config: "true", render-rgd.dev/marked: "local-config"} # was\n',
    ],
  ])('has the mark in an instance in the style of %j', async (metadata, marked) => {
    const item = (text: string): string => `- apiVersion: kro.run/v1alpha1\n  kind: Note\n  ${text}`;
    const { code, stdout, stderr } = await runFunction(listText(noteRgd) + item(metadata));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(item(marked));
    expect((await runFunction(stdout)).stdout).toBe(stdout);
  });

  it.each([
    ['JSON', (text: string) => text],
    ['JSON with tabs', (text: string) => text.replace(/^( +)/gm, (blanks) => '\t'.repeat(blanks.length / 2))],
    ['JSON on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    ['flow style behind a marker', (text: string) => `--- # list\n${text}`],
  ])('keeps %s', async (_, style) => {
    const rgd = readStream(noteRgd).documents[0]?.value;
    const instance = { apiVersion: 'kro.run/v1alpha1', kind: 'Note', metadata: { name: 'a' }, spec: {} };
    const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o' }, data: { a: '1' } };
    const list = { apiVersion: 'config.kubernetes.io/v1', items: [other, instance, rgd], kind: 'ResourceList' };
    const input = style(JSON.stringify(list, null, 2));
    const { code, stdout, items } = await runFunction(input);
    expect(code).toBe(0);
    expect(items.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Note', 'ConfigMap', 'ResourceGraphDefinition']);
    if (!input.startsWith('-')) expect(() => JSON.parse(stdout)).not.toThrow();
    const again = await runFunction(stdout);
    expect(again.stdout).toBe(stdout);
    const marks =
      /,\s*"annotations": \{"config\.kubernetes\.io\/local-config": "true", "render-rgd\.dev\/marked": "local-config"\}/g;
    const rendered =
      /,\s*\{"apiVersion": "v1", "kind": "ConfigMap", "metadata": \{"name": "a".*?"data": \{"text": ""\}\}/;
    const results = /,\s*"results": \[.*\](?=\s*\}\s*$)/;
    expect(stdout.replaceAll(marks, '').replace(rendered, '').replace(results, '')).toBe(input);
  });

  it('keeps items in flow style beside others in block style', async () => {
    const flow = '- {apiVersion: v1, kind: ConfigMap, metadata: {name: o}} # flow\n';
    const { code, stdout } = await runFunction(`${listText(noteRgd, note('a'))}${flow}functionConfig: null # none\n`);
    expect(code).toBe(0);
    expect(stdout).toContain(`\n${flow}functionConfig: null # none\nresults:`);
  });

  it('may have the list of items in flow style', async () => {
    const rgd = JSON.stringify(readStream(noteRgd).documents[0]?.value);
    const input = `${HEAD.trimEnd()} [\n  {apiVersion: kro.run/v1alpha1, kind: Note, metadata: {name: a}, spec: {}}, # a\n  ${rgd},\n]\n`;
    const { code, stdout, items } = await runFunction(input);
    expect({ code, kinds: items.map(({ kind }) => kind) }).toEqual({
      code: 0,
      kinds: ['Note', 'ConfigMap', 'ResourceGraphDefinition'],
    });
    expect((await runFunction(stdout)).stdout).toBe(stdout);
  });

  it.each([
    [
      'its annotations are those of another object',
      'metadata: {name: a, annotations: &x {b: c}}',
      'metadata: {name: o, annotations: *x}',
    ],
    ['it is an alias of another object', 'metadata: &x {name: a}', 'metadata: *x'],
  ])('has an error with a hint if %s', async (_, one, other) => {
    const input =
      listText(noteRgd) +
      `- {apiVersion: kro.run/v1alpha1, kind: Note, ${one}}\n- {apiVersion: v1, kind: Secret, ${other}}\n`;
    const { code, stdout, results } = await runFunction(input);
    expect({ code, kept: stdout.startsWith(input) }).toEqual({ code: 1, kept: true });
    const said = results.filter(({ severity }) => severity === 'error');
    expect(said).toMatchObject([{ resourceRef: { kind: 'Note', name: 'a' }, tags: { code: 'entangled-item' } }]);
    expect(said[0]?.message).toContain('write config.kubernetes.io/local-config: "true" into its annotations');
  });

  it('keeps an equivalent mark that a user wrote', async () => {
    const one = 'metadata: {name: a, annotations: &x {config.kubernetes.io/local-config: "true"}}';
    const items = `- {apiVersion: kro.run/v1alpha1, kind: Note, ${one}}\n- {apiVersion: v1, kind: Secret, metadata: {name: o, annotations: *x}}\n`;
    const { code, stdout } = await runFunction(listText(noteRgd) + items);
    expect(code).toBe(0);
    expect(stdout).toContain(`, ${one}}\n`);
  });

  it('expands an alias in the object itself', async () => {
    const item =
      '- apiVersion: kro.run/v1alpha1\n  kind: Note\n  metadata:\n    name: a\n    annotations: &x {b: c}\n  spec: {extra: *x}\n';
    const rgd = noteRgd.replace('spec: {text', 'spec: {extra: object, text');
    const { code, stdout } = await runFunction(listText(rgd) + item);
    expect(code).toBe(0);
    expect(stdout).toContain('  spec: {extra: {"b": "c"}}\n');
  });
});
