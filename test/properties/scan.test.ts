import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/kro/compile/scan.ts';
import { LONG, runs } from './runs.ts';

const joined = (piece: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));

/** Returns the content of a string literal between these quotes. */
const inside = (quote: string): fc.Arbitrary<string> =>
  joined(
    fc.constantFrom(quote === '"' ? "'" : '"', 'a', '{', '}', '${', ' ', '//', '\\\\', `\\${quote}`, 'é', '😀'),
    5,
  );
const quoted = fc.constantFrom('"', "'").chain((quote) => inside(quote).map((text) => quote + text + quote));
const tripled = fc
  .constantFrom('"', "'")
  .chain((quote) => inside(quote).map((text) => quote.repeat(3) + text + quote.repeat(3)));
/** A backslash in a raw literal escapes nothing. */
const raw = fc
  .tuple(fc.constantFrom('r"', 'R"', 'br"', 'bR"'), joined(fc.constantFrom('a', '}', '{', '\\', "'", '${'), 4))
  .map(([start, text]) => `${start}${text}"`);
const comment = joined(fc.constantFrom('a', "'", '"', ' ', '//'), 4).map((text) => `//${text}\n`);

const source: fc.Arbitrary<string> = fc.letrec<{ source: string }>((tie) => ({
  source: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('a', 'schema.spec', '+', '1', 'r', 'br', 'b', ' ', '\n', '$', '/', '(', ']', '\\'),
        quoted,
        tripled,
        raw,
        comment,
        tie('source').map((text) => `{${text}}`),
      ),
      { maxLength: 5 },
    )
    .map((pieces) => pieces.join(' ')),
})).source;

/** Text without an expression. A final dollar sign is text too. */
const text = joined(fc.constantFrom('a', ' ', '{', '}', '"', "'", '\\', '\n', '//', '😀', '$ ', '$'), 5).filter(
  (one) => one !== '' && !one.includes('${'),
);

describe('the scanner of expressions', () => {
  it(
    'finds every expression with any literals and comments',
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.option(text, { nil: '' }), source)),
          fc.option(text, { nil: '' }),
          (pairs, end) => {
            const written = `${pairs.map(([before, expression]) => `${before}\${${expression}}`).join('')}${end}`;
            const expected = [...pairs.flatMap(([before, expression]) => [before, { expression }]), end].filter(
              (part) => part !== '',
            );
            const scanned = scan(written);
            if (!scanned.ok) throw new Error(`nested at ${scanned.offset}`);
            expect(scanned.parts.map((part) => ('source' in part ? { expression: part.source } : part.text))).toEqual(
              expected,
            );
            expect(scanned.standalone).toBe(expected.length === 1 && pairs.length === 1);
            expect(scanned.unclosed).toBeUndefined();
          },
        ),
        runs(1000),
      );
    },
    LONG,
  );

  it(
    'splits any text without loss',
    () => {
      const piece = fc.constantFrom('${', '}', '{', '"', "'", '"""', 'r"', '\\', '//', '\n', 'a', '$', ' ');
      fc.assert(
        fc.property(joined(piece, 16), (written) => {
          const scanned = scan(written);
          if (!scanned.ok) {
            expect(written.indexOf('${')).toBeLessThan(scanned.offset);
            return written.startsWith('${', scanned.offset);
          }
          const { parts, unclosed } = scanned;
          expect(parts.map((part) => ('source' in part ? `\${${part.source}}` : part.text)).join('')).toBe(written);
          for (const part of parts)
            if ('source' in part) expect(written.startsWith(part.source, part.start)).toBe(true);
          return unclosed === undefined || written.startsWith('${', unclosed);
        }),
        runs(2000),
      );
    },
    LONG,
  );
});
