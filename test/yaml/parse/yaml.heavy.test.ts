import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLocator } from '../../../src/yaml/locate/locate.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { runs } from '../../properties/runs.ts';
import { faults } from './faults.ts';

test('reading or locating any text does not throw', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      ': ',
      ':',
      '\n',
      '\n  ',
      '- ',
      '---\n',
      '...',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ',',
      '|',
      '>-',
      '&x ',
      '*x',
      '<<',
      '!!int ',
      '!',
      '#',
      ' #',
      '%',
      '\t',
      '\\',
      '1',
      '~',
      '\r',
      '\uFEFF',
      '? ',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), fc.array(fc.constantFrom('a', 0, '1')), (pieces, path) => {
      const text = pieces.join('');
      const { documents } = readStream(text);
      const locator = createLocator();
      for (const { index } of documents) {
        const place = locator({ text, document: index, path, offset: 1 });
        if (place === undefined || place.line < 1 || place.column < 1) return false;
      }
      return true;
    }),
    runs(3000),
  );
});

describe('lines that YAML requires deeper than go-yaml does', () => {
  test('are limited', () => {
    expect(faults(`a: [\n${'x,\n'.repeat(600)}]\n`)).toEqual(['0 502:1 yaml-syntax']);
    const long = `\nb: ${'y'.repeat(1_000_000)}\n`;
    expect(faults(`a: [\n${'x,\n'.repeat(80)}]${long}`)).toEqual([]);
    expect(faults(`a: [\n${'x,\n'.repeat(400)}]${long}`)).toEqual(['0 102:1 yaml-syntax']);
    const lines = `\nb:\n${'- y\n'.repeat(100_000)}`;
    expect(faults(`a: [\n${'x,\n'.repeat(10)}]${lines}`)).toEqual([]);
    expect(faults(`a: [\n${'x,\n'.repeat(400)}]${lines}`)).toEqual(['0 19:1 yaml-syntax']);
  });
});
