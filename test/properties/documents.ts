import fc from 'fast-check';
import { Document, type ToStringOptions } from 'yaml';
import { values } from './values.ts';

/** YAML styles of other writers. */
export const styles: fc.Arbitrary<ToStringOptions> = fc.record({
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
  defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE'),
  indent: fc.constantFrom(1, 2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
  nullStr: fc.constantFrom('null', '~', ''),
  trueStr: fc.constantFrom('true', 'True'),
  falseStr: fc.constantFrom('false', 'FALSE'),
});

export const piece = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\n',
    '\n  ',
    ': ',
    ':',
    '- ',
    ', ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '#',
    ' #',
    '|',
    '>-',
    '&x ',
    '*x',
    '\\',
  ],
  ...[
    '!!str ',
    '!!int ',
    '!x ',
    '? ',
    '1',
    '-',
    '~',
    '\t',
    '0',
    '.',
    'e',
    '_',
    'true',
    '---\n',
    '...\n',
    '\r\n',
    '%',
    '\uFEFF',
  ],
);

/** Documents of other writers, some with an inserted piece: those are often valid YAML with another meaning. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(
    values,
    styles,
    fc.constantFrom<'1.1' | '1.2'>('1.1', '1.2'),
    fc.array(fc.tuple(fc.nat(), piece), { maxLength: 2 }),
  )
  .map(([value, style, version, pieces]) => {
    let text = new Document({ value }, { version }).toString(style).replace(/^%YAML.*\n---\n?/, '');
    for (const [at, inserted] of pieces) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + inserted + text.slice(place);
    }
    return text;
  });
