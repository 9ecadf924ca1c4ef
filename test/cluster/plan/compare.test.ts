import { expect, it } from 'vitest';
import * as compare from './compare.ts';
import { changeBetween } from './live.ts';
import type { PlanAnswer } from './requests.ts';

const comparePlan = (answer: PlanAnswer, reality: compare.Reality): compare.Kind =>
  compare.comparePlan(answer, reality, () => reality.refused.includes('not valid'));

const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name });
const title = (name: string): string => `v1 ConfigMap web ${name}`;
const none = { added: [], changed: [], removed: [] };
const plan = (part: object, codes: readonly string[] = []): PlanAnswer => ({
  applications: [{ ...none, ...part }],
  dangers: codes.map((code) => ({ code, message: '' })),
});

it('compares the objects that change', () => {
  const change = changeBetween(
    new Map([
      [title('gone'), '1'],
      [title('same'), '1'],
      [title('other'), '1'],
    ]),
    new Map([
      [title('same'), '1'],
      [title('other'), '2'],
      [title('new'), '1'],
    ]),
  );
  expect(change).toEqual({ added: [title('new')], changed: [title('other')], removed: [title('gone')] });
  const planned = { added: [object('new')], changed: [object('other')], removed: [object('gone')] };
  expect(comparePlan(plan(planned), { change, refused: [] })).toBe('equal');
  for (const part of ['added', 'changed', 'removed']) {
    expect(comparePlan(plan({ ...planned, [part]: [] }), { change, refused: [] })).toBe('open');
  }
});

it('an object that another application takes over stays', () => {
  const moved = plan({ added: [object('a')], removed: [object('a')] });
  expect(comparePlan(moved, { change: none, refused: [] })).toBe('equal');
  expect(comparePlan(moved, { change: { ...none, removed: [title('a')] }, refused: [] })).toBe('open');
});

it('a rejection needs an error or a danger, and an error needs a rejection', () => {
  const refused = ['no'];
  expect(comparePlan(plan({}), { change: none, refused })).toBe('open');
  expect(comparePlan(plan({}), { change: none, refused: ['not valid'] })).toBe('invalid');
  expect(comparePlan(plan({}, ['danger-image-latest']), { change: none, refused })).toBe('open');
  expect(comparePlan(plan({}, ['breaking-change']), { change: none, refused })).toBe('announced');
  expect(comparePlan(plan({}, ['danger-immutable-field']), { change: none, refused })).toBe('announced');
  expect(comparePlan(plan({ error: 'wrong' }), { change: none, refused })).toBe('announced');
  expect(comparePlan(plan({ error: 'wrong' }), { change: none, refused: [] })).toBe('open');
});
