import { describe, expect, it } from 'vitest';
import type { Path, Value } from '../../../src/core/model/value.ts';
import { isSecret, shownSteps, stepsToSecret, writtenSecrets } from '../../../src/core/redaction/index.ts';

const secret = (more: Record<string, Value> = {}): Value => ({ apiVersion: 'v1', kind: 'Secret', ...more });
const shown = (root: Value, path: Path): Path | 'all' => {
  const steps = stepsToSecret(root, path);
  return steps === undefined ? 'all' : shownSteps(root, path, steps);
};

describe('the public part of a path', () => {
  const data = { data: { a: 'b' }, stringData: { hunter2: null } };
  it.each<[string, Value, Path, Path | 'all']>([
    ['the name', secret(), ['metadata', 'name'], 'all'],
    ['a label', secret(), ['metadata', 'labels', 'a'], 'all'],
    ['the type', secret(), ['type'], 'all'],
    ['the Secret itself', secret(), [], 'all'],
    ['a value', secret(data), ['data', 'a'], ['data', 'a']],
    ['what is in it', secret({ data: { a: { b: 'c' } } }), ['data', 'a', 'b'], ['data', 'a']],
    ['a key without a value', secret(data), ['stringData', 'hunter2'], ['stringData']],
    ['a key that is not there', secret(data), ['data', 'hunter2'], ['data']],
    ['an unknown field', secret({ hunter2: 'a' }), ['hunter2'], []],
    ['unknown metadata', secret({ metadata: { hunter2: 'a' } }), ['metadata', 'hunter2'], ['metadata']],
    [
      'an annotation',
      secret({ metadata: { annotations: { a: 'b' } } }),
      ['metadata', 'annotations', 'a'],
      ['metadata', 'annotations', 'a'],
    ],
    [
      'an annotation that tells an order',
      secret({ metadata: { annotations: { 'helm.sh/hook-weight': '1' } } }),
      ['metadata', 'annotations', 'helm.sh/hook-weight'],
      'all',
    ],
    ['another kind', { kind: 'ConfigMap', data: { a: 'b' } }, ['data', 'a'], 'all'],
    ['a kind of the same name', { ...(secret(data) as object), apiVersion: 'a.b/v1' }, ['data', 'a'], ['data', 'a']],
    ['an object without a kind', { apiVersion: 'v1', data: { a: 'b' } }, ['data', 'a'], ['data', 'a']],
    ['a kind that is a version', { kind: 'v1', data: { a: 'b' } }, ['data', 'a'], ['data', 'a']],
    ['a kind that is misspelt', { kind: 'Sceret', stringData: { a: 'b' } }, ['stringData', 'a'], ['stringData', 'a']],
    [
      'an item of a SecretList',
      { kind: 'SecretList', items: [{ data: { a: 'b' } }] },
      ['items', 0, 'data', 'a'],
      ['items', 0, 'data', 'a'],
    ],
    [
      'another kind in a SecretList',
      { kind: 'SecretList', items: [{ kind: 'A', data: {} }] },
      ['items', 0, 'data'],
      'all',
    ],
    [
      'an item of a List',
      { kind: 'List', items: [secret(data)] },
      ['items', 0, 'data', 'a'],
      ['items', 0, 'data', 'a'],
    ],
    [
      'a template',
      { kind: 'ResourceGraphDefinition', spec: { resources: [{ id: 'a', template: secret(data) }] } },
      ['spec', 'resources', 0, 'template', 'data', 'a'],
      ['spec', 'resources', 0, 'template', 'data', 'a'],
    ],
    ['a field called data elsewhere', { kind: 'A', spec: { data: 'x' } }, ['spec', 'data'], 'all'],
  ])('%s', (_, root, path, expected) => expect(shown(root, path)).toEqual(expected));
});

it('a template is searched for Secrets', () => {
  const written = writtenSecrets({ kind: 'List', items: [{ kind: 'ConfigMap', data: {} }, secret()] });
  expect(isSecret(written, ['items', 1, 'data', 'a'])).toBe(true);
  expect(isSecret(written, ['items', 1, 'metadata', 'name'])).toBe(false);
  expect(writtenSecrets({ kind: 'ConfigMap', data: { a: 'b' } })).toBe(false);
  expect(isSecret(writtenSecrets({ kind: 'A', spec: { ref: { kind: 'Secret', name: 'b' } } }))).toBe(false);
});

it.each([
  ['a Secret', '{"kind":"Secret","data":{}}', true],
  ['a Secret in disguise', '{"kind":"\\u0053ecret"}', true],
  ['something else', '{"kind":"ConfigMap"}', false],
])('the copy of %s in the annotation of kubectl apply is redacted', (_, copy, isOne) => {
  const path = ['metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration'];
  const written = writtenSecrets({ kind: 'ConfigMap', metadata: { annotations: { [path[2] as string]: copy } } });
  expect(isSecret(written, path)).toBe(isOne);
});
