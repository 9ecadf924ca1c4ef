import { expect, it } from 'vitest';
import { answerOf, application, type Texts } from './repository.ts';

const COUNT = 710;
const map = (index: number, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m${index}, namespace: x }\ndata: { v: "${value}" }\n`;
const repeated = (each: (index: number) => string): string =>
  Array.from({ length: COUNT }, (_, index) => each(index)).join('---\n');

it('applications are not compared beyond the budget of objects, and the plan says so', () => {
  const all = (value: string): Texts => ({
    'apps.yaml': repeated((index) => application(`a${index}`, '{ path: base }')),
    'base/all.yaml': repeated((index) => map(index, index === 0 ? value : '1')),
  });
  const { applications, found } = answerOf(all('1'), all('2'));
  const failed = applications.filter(({ error }) => error !== undefined);
  expect(found).toBe(COUNT);
  expect(applications).toHaveLength(COUNT);
  expect(failed.length).toBeGreaterThan(0);
  for (const { error } of failed) expect(error).toContain('render 500000 objects together');
});
