import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/author/format/index.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { sameValue, type Value } from '../../src/core/model/value.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import { outcomeOf, textsBelow } from '../author/format/outcome.ts';
import { corpus } from '../language-server/corpus.ts';
import { LONG, runs } from './runs.ts';

const texts = [...['examples', 'test/cases', 'test/conformance'].flatMap(textsBelow), ...corpus()];
const FOREIGN = 'kind:   ConfigMap   # as written\napiVersion: v1\n---\n';

const valuesIn = (text: string): Value =>
  readStreams([{ file: '', text }], new Collector()).map(({ object }) => object as Value);

/** Counts blank lines; the end of the last line is none. */
const blankLines = (text: string): number =>
  text
    .replace(/\r?\n[ \t]*$/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() === '').length;

/** Writes a text differently: comments, blank lines, spaces at the end of lines, CRLF, wider lists. */
const scrambled = fc
  .record({
    of: fc.constantFrom(...texts),
    lines: fc.array(fc.tuple(fc.nat(400), fc.nat(12), fc.constantFrom('above', 'behind', 'blank', 'space', 'dash')), {
      maxLength: 12,
    }),
    isCrlf: fc.boolean(),
  })
  .map(({ of: { text }, lines, isCrlf }) => {
    const written = text.split('\n');
    let comments = 0;
    for (const [at, indent, what] of lines) {
      const index = at % written.length;
      const line = written[index] as string;
      const changed = {
        above: `${' '.repeat(indent)}# comment ${comments}.\n${line}`,
        behind: `${line} # comment ${comments}.`,
        blank: `\n${line}`,
        space: `${line}  `,
        dash: line.replace(/^( *)- (?=\S+:)/, '$1-   '),
      }[what];
      const now = written.with(index, changed);
      // A line of a text, or the start of a list, may not change.
      if (!sameValue(valuesIn(now.join('\n')), valuesIn(written.join('\n')))) continue;
      if (what === 'above' || what === 'behind') comments += 1;
      written[index] = changed;
    }
    return { text: FOREIGN + written.join(isCrlf ? '\r\n' : '\n'), comments };
  });

describe('formatting', () => {
  it(
    'changes no rendered object and no diagnostic',
    () => {
      for (const { name, text } of texts) {
        const { text: once } = formatText(text);
        expect(formatText(once).text, name).toBe(once);
        if (once !== text) {
          const modes = ['fail', 'skip', 'passthrough', 'placeholder'] as const;
          expect(outcomeOf(once, modes), name).toBe(outcomeOf(text, modes));
        }
      }
    },
    LONG,
  );

  it(
    'keeps comments, other documents and what is rendered, however a text is written',
    () => {
      fc.assert(
        fc.property(scrambled, ({ text, comments }) => {
          const { text: once } = formatText(text);
          expect(formatText(once).text).toBe(once);
          expect(once.startsWith(FOREIGN)).toBe(true);
          for (let index = 0; index < comments; index += 1) {
            expect(once.split(`# comment ${index}.`)).toHaveLength(2);
          }
          expect(blankLines(once)).toBe(blankLines(text));
          expect(outcomeOf(once, ['placeholder'])).toBe(outcomeOf(text, ['placeholder']));
        }),
        runs(150),
      );
    },
    LONG,
  );
});
