import { describe, expect, it } from 'vitest';
import { acceptDangers, planHtml, planJson, planMarkdown, planText } from '../../../src/gitops/plan/index.ts';
import { application, planOf } from './repository.ts';

const app = application('a', '{ path: apps }');
const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: {}\n`;
const before = { 'a.yaml': app, 'apps/a.yaml': claim('old'), 'apps/b.yaml': claim('db') };
const plan = planOf(before, { 'a.yaml': app, 'apps/c.yaml': claim('c') });
const entry = {
  ...{ application: 'a', object: 'PersistentVolumeClaim web/old', danger: 'danger-data-loss' },
  reason: 'copied to db',
};

describe('an accepted danger', () => {
  it('is shown with its reason, and only the others count', () => {
    const { plan: accepted, reports } = acceptDangers(plan, [entry]);
    expect(reports).toEqual([]);
    expect(accepted.dangers.map((one) => one.accepted)).toEqual([undefined, 'copied to db']);
    expect(planText(accepted)).toContain(', 1 danger, 1 accepted (');
    expect(planText(accepted)).toContain('its data (accepted: copied to db)\n');
    expect(planMarkdown(accepted)).toContain('- :white_check_mark: `danger-data-loss` ');
    for (const text of [planJson(accepted), planHtml(accepted)]) expect(text).toMatch(/"accepted": ?"copied to db"/);
  });

  it.each([
    ['another application', { application: 'b' }],
    ['another object', { object: 'PersistentVolumeClaim web/older' }],
    ['another danger', { danger: 'danger-secret-deleted' }],
    ['no object', { object: '' }],
  ])('is not accepted by an entry for %s, which is reported', (_, other) => {
    const { plan: open, reports } = acceptDangers(plan, [{ ...entry, ...other }]);
    expect(open.dangers.every(({ accepted }) => accepted === undefined)).toBe(true);
    expect(reports).toMatchObject([{ code: 'accepted-unused', severity: 'warning' }]);
  });
});
