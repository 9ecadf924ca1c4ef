import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';
import { lintCodes } from '../../../src/check/lint/index.ts';
import type { Diagnostic } from '../../../src/core/diagnostics/index.ts';
import { invoke } from '../../cli/invoke.ts';
import { lintCases, rgd } from './cases.ts';

const found = (text: string): Diagnostic[] => validate({ objects: [{ file: 'rgd.yaml', text }] }).diagnostics;

describe.each(Object.entries(lintCases))('the lint %s', (code, { found: positives, near, severity = 'warning' }) => {
  it.each(Object.entries(positives))('finds %s', (_, text) => {
    const told = found(text);
    expect(told.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(told.filter((one) => one.code === code)).toMatchObject([{ severity, stage: 'lint', line: 1 }]);
  });

  it.each(Object.entries(near))('does not report %s', (_, text) => {
    expect(found(text).filter((one) => one.severity === 'error' || one.code === code)).toEqual([]);
  });

  it('can be disabled', async () => {
    const [text = ''] = Object.values(positives);
    const { stdout } = await invoke(['validate', '-', '--disable', code], text);
    expect(stdout).not.toContain(code);
  });
});

describe('lints', () => {
  it('are reported with the position in the expression', () => {
    const resources = [
      {
        id: 'a',
        template: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a' },
          data: { a: '${schema.spec.m.map(k, k).join(",")}' },
        },
      },
    ];
    const text = rgd({ spec: { m: 'map[string]string' }, resources });
    const [one] = found(text);
    expect(one).toMatchObject({
      object: 'ResourceGraphDefinition/x',
      node: 'a',
      field: 'spec.resources[0].template.data.a',
    });
    expect(text.slice((one?.column ?? 0) - 1)).toMatch(/^map\(k, k\)/);
  });

  it('report a node that is never included because it reads one that is not', () => {
    const node = (id: string, more: object, data: object) => ({
      id,
      ...more,
      template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id }, data },
    });
    const text = rgd({
      resources: [node('a', { includeWhen: ['${false}'] }, {}), node('b', {}, { a: '${a.metadata.name}' })],
    });
    expect(found(text).map(({ code, node, message }) => `${code} ${node} ${message}`)).toEqual([
      'lint-never-included a the node is never included: its condition is always false',
      "lint-never-included b the node is never included: it reads 'a', which is never included",
    ]);
  });

  it('are disabled by an annotation', () => {
    const spec = { a: 'string | required=true default="x"' };
    const annotations = { 'render-rgd.dev/disable-lints': 'lint-unread-field, lint-required-default' };
    expect(found(rgd({ spec, resources: [] })).map(({ code }) => code)).toEqual([
      'lint-unread-field',
      'lint-required-default',
    ]);
    expect(found(rgd({ spec, annotations, resources: [] }))).toEqual([]);
  });

  it('of a ResourceSet are disabled by an annotation', () => {
    const [text = ''] = Object.values(lintCases['lint-unread-input'].found);
    const quiet = text.replace(
      '"name":"set"',
      '"name":"set","annotations":{"render-rgd.dev/disable-lints":"lint-unread-input"}',
    );
    expect(found(text).map(({ code, field }) => [code, field])).toEqual([['lint-unread-input', 'spec.inputs[0].b']]);
    expect(found(quiet)).toEqual([]);
  });

  it('are skipped for an RGD with errors', () => {
    expect(found(rgd({ spec: { a: 'strin' }, resources: [] })).map(({ code }) => code)).toEqual(['unknown-type']);
  });

  it('are reported by validate only', async () => {
    const text = rgd({ spec: { a: 'string' }, resources: [] });
    expect((await invoke(['render', '-'], text)).stderr).not.toContain('lint-');
  });

  it('with an unknown code are a usage error', async () => {
    const { code, stderr } = await invoke(['validate', '-', '--disable', 'lint-unread-fields'], '');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown lint 'lint-unread-fields'; did you mean 'lint-unread-field'?");
  });

  it('have test cases each', () => expect(Object.keys(lintCases)).toEqual(lintCodes));
});
