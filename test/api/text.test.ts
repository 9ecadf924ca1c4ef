import { expect, it } from 'vitest';
import { formatDiagnostics, type ObjectSource, render, toJson, toYaml } from '../../src/api/index.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, big: 9007199254740993n, list: [1, 1.5] };

it('toYaml writes documents with every digit of an integer', () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
big: 9007199254740993
list:
- 1
- 1.5
`;
  expect(toYaml([object, object])).toBe(`${text}---\n${text}`);
  expect(toYaml([])).toBe('');
});

it('toJson writes every digit of integers for which JSON.stringify throws', () => {
  expect(() => JSON.stringify(object)).toThrow(TypeError);
  const line = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"big":9007199254740993,"list":[1,1.5]}';
  expect(toJson(object, 0)).toBe(line);
  expect(toJson([object], 0)).toBe(`[${line}]`);
  expect(toJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
});

it.each([
  [() => toYaml(object as never), 'toYaml takes a list of objects'],
  [() => toYaml([{ ...object, x: Number.NaN }]), 'not a JSON number: NaN, at [0].x'],
  [() => toJson({ ...object, x: new Map() } as ObjectSource), 'not a JSON value: [object Map], at x'],
])('what JSON cannot represent is a TypeError: %s', (call, message) => {
  expect(call).toThrow(new TypeError(message));
});

it('formatDiagnostics prints the line of a text that it gets', () => {
  const source = { file: 'a.yaml', text: 'a: [' };
  const { diagnostics } = render({ objects: [source] });
  const [sentence, location] = formatDiagnostics(diagnostics).split('\n');
  expect(sentence).toMatch(/^error\[yaml-syntax\]: /);
  expect(location).toMatch(/^ {2}--> a\.yaml:1:\d+$/);
  const lines = formatDiagnostics(diagnostics, [source, object]).split('\n');
  expect(lines.slice(0, 3)).toEqual([sentence, location, '    a: [']);
  expect(formatDiagnostics([])).toBe('');
});
