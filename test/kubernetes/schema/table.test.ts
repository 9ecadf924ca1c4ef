import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import table from '../../../data/kubernetes.json';
import { builtinDefinition } from '../../../src/kubernetes/schema/builtin.ts';

const { definitions, kinds, version } = table;
const kindLines = kinds.split('\n');
const definitionLines = definitions.split('\n');
const nameOf = (line: string): string => line.slice(0, line.indexOf(' '));
const names = new Set(definitionLines.map(nameOf));
const textOf = (line: string): string => line.slice(line.indexOf(' ') + 1);
const referencesOf = (text: string): string[] => [...text.matchAll(/"#([^"]+)"/g)].map((match) => match[1] ?? '');

describe('the table of Kubernetes types', () => {
  test('is of the release that the docs name', () => {
    const page = readFileSync(new URL('../../../docs/fidelity.md', import.meta.url), 'utf8');
    expect(page).toContain(version);
  });

  test('has one line for each kind', () => {
    for (const line of kindLines) expect(line).toMatch(/^\S+ v\d\w* [A-Z]\w+ [NC] [a-z]\S+$/);
    expect(new Set(kindLines.map((line) => line.split(' ').slice(0, 3).join(' '))).size).toBe(kindLines.length);
  });

  test('has its definitions in order, each once, as compact JSON', () => {
    expect(definitionLines).toEqual([...definitionLines].sort());
    expect(new Set(definitionLines.map(nameOf)).size).toBe(definitionLines.length);
    for (const line of definitionLines) expect(JSON.stringify(JSON.parse(textOf(line)))).toBe(textOf(line));
  });

  test('finds each of its definitions by name, and none by a part of a name', () => {
    for (const name of definitionLines.map(nameOf)) {
      expect(builtinDefinition(name), name).toBeDefined();
      for (const other of [`${name}x`, name.slice(0, -1), `${name} {"properties":`])
        if (!names.has(other)) expect(builtinDefinition(other), other).toBeUndefined();
    }
    for (const outside of ['', 'a', 'zz']) expect(builtinDefinition(outside)).toBeUndefined();
  });

  test('has exactly the definitions that kinds reach', () => {
    const texts = new Map(definitionLines.map((line) => [nameOf(line), textOf(line)]));
    const reached = new Set<string>();
    const visit = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const reference of referencesOf(texts.get(name) ?? '')) visit(reference);
    };
    for (const line of kindLines) visit(line.split(' ')[4] ?? '');
    expect([...reached].sort()).toEqual([...texts.keys()].sort());
  });

  test('can be read as a whole', () => {
    for (const line of definitionLines) expect(builtinDefinition(nameOf(line)), nameOf(line)).toBeDefined();
  });
});
