import { expect, it } from 'vitest';
import { Collector, type Report } from '../../src/diagnostics/index.ts';

const report = (message: string, severity: Report['severity'] = 'error'): Report => ({
  code: 'evaluation',
  message,
  path: [],
  severity,
});

it('what is added is there in order, and whether an error is among it', () => {
  const reports = new Collector();
  reports.add(report('a', 'warning'));
  expect(reports.hasErrors).toBe(false);
  reports.addAll([report('b'), report('c', 'info')]);
  expect(reports.hasErrors).toBe(true);
  expect(reports.all.map(({ message }) => message)).toEqual(['a', 'b', 'c']);
  expect([...reports]).toEqual(reports.all);
});

it('a part has its own, and the whole has all', () => {
  const reports = new Collector();
  reports.add(report('before'));
  const part = reports.part();
  expect(part.hasErrors).toBe(false);
  part.add(report('inside'));
  expect(part.all.map(({ message }) => message)).toEqual(['inside']);
  expect(reports.all.map(({ message }) => message)).toEqual(['before', 'inside']);
  for (let count = 2; count < 1000; count += 1) reports.add(report('more'));
  expect(part.hasEnough).toBe(true);
});

it('what is told otherwise counts as it is told', () => {
  const reports = new Collector();
  reports.addAll([report('a'), report('b')]);
  reports.retell(reports.all.filter(({ message }) => message === 'b'));
  expect(reports.all.map(({ message }) => message)).toEqual(['b']);
  reports.retell(reports.all);
  expect(reports.hasErrors).toBe(true);
  reports.retell([]);
  expect(reports.hasErrors).toBe(false);
});
