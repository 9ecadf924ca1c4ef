import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { createSharedReaders, readStreams } from '../../../src/yaml/parse/index.ts';

const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: ${value}}\n`;
const both = (before: readonly string[], after: readonly string[]) => {
  const { first, second } = createSharedReaders();
  const [ofBefore, ofAfter] = [new Collector(), new Collector()];
  const streams = (texts: readonly string[], folder: string) =>
    texts.map((text, index) => ({ file: `${folder}/${index}.yaml`, text }));
  const [old, young] = [first(streams(before, 'old'), ofBefore), second(streams(after, 'new'), ofAfter)];
  return { old, young, plain: readStreams(streams(after, 'new'), new Collector()), ofAfter };
};

describe('sharing between two versions', () => {
  it('reads what a single reader reads', () => {
    const texts = [map('a', 'x'), `${map('b', 'y')}---\n${map('c', 'z')}`, 'a: [', 'a: 1\na: 2\n'];
    const changed = [`# new\n${texts[0]}`, map('b', 'y'), 'a: [', 'a: 1\na: 2\n'];
    const { young, plain, ofAfter } = both(texts, changed);
    expect(young).toEqual(plain);
    expect(ofAfter.all.map(({ code, source }) => [code, source?.file])).toEqual([
      ['yaml-syntax', 'new/2.yaml'],
      ['duplicate-key', 'new/3.yaml'],
    ]);
  });

  it('reuses the values of unchanged documents, with their current locations', () => {
    const { old, young } = both(
      [map('a', 'x'), map('b', 'y')],
      [map('b', 'y'), `${map('a', 'x')}---\n${map('c', 'z')}`],
    );
    expect(young[0]?.object).toBe(old[1]?.object);
    expect(young[0]?.source?.file).toBe('new/0.yaml');
    expect(young[1]?.object).toBe(old[0]?.object);
    expect(young[1]?.source?.text).toMatch(/name: c/);
  });

  it('distinguishes documents with another order of keys, or another value', () => {
    const { old, young } = both([map('a', '{b: 1, c: 2}')], [map('a', '{c: 2, b: 1}')]);
    expect(young[0]?.object).not.toBe(old[0]?.object);
    expect(both([map('a', '1')], [map('a', '"1"')]).young[0]?.object).toMatchObject({ data: { a: '1' } });
    expect(both([map('a', '0.0')], [map('a', '-0.0')]).young).toEqual(both([], [map('a', '-0.0')]).young);
  });

  it('never reuses a value for two documents of one version', () => {
    const { young } = both([map('a', 'x')], [map('a', 'x'), map('a', 'x'), `${map('a', 'x')}---\n${map('a', 'x')}`]);
    expect(new Set(young.map(({ object }) => object)).size).toBe(4);
  });
});
