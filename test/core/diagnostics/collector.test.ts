import { expect, it } from 'vitest';
import { Collector, type Report, trusted } from '../../../src/core/diagnostics/index.ts';

const report = (message: string, severity: Report['severity'] = 'error'): Report => ({
  code: 'evaluation',
  message: trusted.definition(message),
  path: [],
  severity,
});

it('a collector returns diagnostics in order, and reports whether one is an error', () => {
  const reports = new Collector();
  reports.add(report('a', 'warning'));
  expect(reports.hasErrors).toBe(false);
  reports.addAll([report('b'), report('c', 'info')]);
  expect(reports.hasErrors).toBe(true);
  expect(reports.all.map(({ message }) => message)).toEqual(['a', 'b', 'c']);
  expect([...reports]).toEqual(reports.all);
});

it('a part of a collector has its own diagnostics, and the whole has all', () => {
  const reports = new Collector();
  reports.add(report('before'));
  const part = reports.part();
  expect(part.hasErrors).toBe(false);
  part.add(report('inside'));
  expect(part.all.map(({ message }) => message)).toEqual(['inside']);
  expect(reports.all.map(({ message }) => message)).toEqual(['before', 'inside']);
  for (let count = 2; count < 1000; count += 1) reports.add(report('more'));
  expect(part.limitReached).toBe(true);
});

it('replaceAll replaces the diagnostics and their counts', () => {
  const reports = new Collector();
  reports.addAll([report('a'), report('b')]);
  reports.replaceAll(reports.all.filter(({ message }) => message === 'b'));
  expect(reports.all.map(({ message }) => message)).toEqual(['b']);
  reports.replaceAll(reports.all);
  expect(reports.hasErrors).toBe(true);
  reports.replaceAll([]);
  expect(reports.hasErrors).toBe(false);
});

it('counts warnings and infos of one code beyond a thousand, and reports their number', () => {
  const reports = new Collector();
  const part = reports.part();
  for (let index = 0; index < 1500; index += 1) part.add(report(`m${index}`, 'warning'));
  part.count('evaluation', 'warning', 70);
  part.add(report('an info', 'info'));
  expect(part.remainingFor('evaluation', 'warning')).toBe(0);
  expect(part.remainingFor('evaluation', 'info')).toBe(999);
  for (const { all } of [part, reports]) {
    expect(all).toHaveLength(1002);
    expect(all.at(-1)).toMatchObject({ code: 'evaluation', severity: 'warning', count: 570 });
  }
  reports.replaceAll(reports.all);
  expect(reports.all.at(-1)).toMatchObject({ count: 570, message: '570 more warnings of this kind are not shown' });
});

it('keeps all errors, and diagnostics that are folded into one with a count', () => {
  const reports = new Collector();
  for (let index = 0; index < 1500; index += 1) reports.addAll([report('e'), { ...report('w', 'info'), alike: 'w' }]);
  expect(reports.all).toHaveLength(3000);
});
