import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toOpenApi } from '../../src/kro/simpleschema/index.ts';
import { type Marker, markerNames, parseMarkers } from '../../src/kro/simpleschema/markers.ts';
import { parseType } from '../../src/kro/simpleschema/type-expression.ts';
import type { Schema } from '../../src/kubernetes/schema/index.ts';
import { LONG, runs } from './runs.ts';

const space = fc.constantFrom('', '', ' ', '\t', ' \u0085', '\u3000');
const custom = (name: string): Schema => ({ description: name });
const none = (): never => expect.unreachable();

interface Written<T> {
  text: string;
  meaning: T;
}

const type: fc.Arbitrary<Written<Schema>> = fc.letrec<{ type: Written<Schema> }>((tie) => ({
  type: fc
    .tuple(
      space,
      fc.oneof(
        { maxDepth: 14 },
        fc.constantFrom<Written<Schema>>(
          { text: 'string', meaning: { type: 'string' } },
          { text: 'float', meaning: { type: 'number' } },
          { text: 'boolean', meaning: { type: 'boolean' } },
          { text: 'object', meaning: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          { text: 'Part', meaning: { description: 'Part' } },
          { text: '__proto__', meaning: { description: '__proto__' } },
        ),
        tie('type').map(
          ({ text, meaning }): Written<Schema> => ({
            text: `[]${text}`,
            meaning: { type: 'array', items: meaning },
          }),
        ),
        tie('type').map(
          ({ text, meaning }): Written<Schema> => ({
            text: `map[string]${text}`,
            meaning: { type: 'object', additionalProperties: meaning },
          }),
        ),
      ),
      space,
    )
    .map(([before, { text, meaning }, after]) => ({ text: before + text + after, meaning })),
})).type;

/** A value that is quoted when it is written, or one without quotes whose brackets balance. */
const value: fc.Arbitrary<Written<string>> = fc.oneof(
  fc
    .string({ unit: fc.constantFrom('a', ' ', '"', '\\', '=', '|', '{', ']', 'é', '\n'), maxLength: 8 })
    .map((meaning) => ({
      text: `"${meaning.replace(/["\\]/g, '\\$&')}"`,
      meaning,
    })),
  fc
    .string({ unit: fc.constantFrom('a', '1', '.', '=', '|', ',', '{ }', '[a b]', '\\'), maxLength: 6 })
    .map((meaning) => ({
      text: meaning,
      meaning,
    })),
);

describe('SimpleSchema', () => {
  it(
    'reads types as they were written',
    () => {
      fc.assert(
        fc.property(type, ({ text, meaning }) => {
          expect(parseType(text, custom, none)).toEqual(meaning);
        }),
        runs(1000),
      );
    },
    LONG,
  );

  it(
    'reads markers as they were written',
    () => {
      const marker = fc.record({ name: fc.constantFrom(...markerNames), value });
      fc.assert(
        fc.property(
          fc.array(marker, { minLength: 1, maxLength: 5 }),
          fc.constantFrom(' ', '  ', '\t'),
          (markers, gap) => {
            let text = 'string |';
            const expected: Marker[] = [];
            for (const { name, value } of markers) {
              text += `${gap}${name}=`;
              const offset = text.length;
              text += value.text;
              expected.push({ name, value: value.meaning, offset, end: text.length });
            }
            expect(parseMarkers(text, 'string |'.length, none)).toMatchObject(expected);
          },
        ),
        runs(1000),
      );
    },
    LONG,
  );

  it(
    'accepts any text as a field, or reports the position of the error',
    () => {
      const piece = fc.constantFrom(
        ...[
          'string',
          'integer',
          'float',
          'boolean',
          'object',
          '[]',
          'map[string]',
          'map[',
          ' | ',
          '|',
          ' ',
          '=',
          '"',
          '\\',
          '{',
          '}',
        ],
        ...[
          '[',
          ']',
          ',',
          'T',
          '__proto__',
          'constructor',
          '1',
          '-1',
          '1e999',
          '9'.repeat(30),
          'true',
          'null',
          '(',
          '\u0085',
          '${a}',
        ],
        ...markerNames.map((name) => ` ${name}=`),
      );
      const field = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
      fc.assert(
        fc.property(field, field, (spec, custom) => {
          const { schema, problems } = toOpenApi({ spec: { field: spec }, types: { T: custom } });
          for (const { message, path, offset = 0 } of problems) {
            expect(message).not.toBe('');
            const written = path[0] === 'types' ? custom : spec;
            expect(offset).toBeGreaterThanOrEqual(0);
            expect(offset).toBeLessThanOrEqual(written.length);
          }
          if (problems.length === 0) expect(Object.keys(schema.properties ?? {})).toEqual(['field']);
        }),
        runs(2000),
      );
    },
    LONG,
  );
});
