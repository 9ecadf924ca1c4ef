import { describe, expect, it } from 'vitest';
import {
  advise,
  composeText,
  format,
  type Problem,
  phrase,
  quote,
  type Report,
  redact,
  renameTo,
  show,
  shown,
  toReport,
  trusted,
} from '../../../src/core/diagnostics/index.ts';

const problem = (message: Problem['message'], hint?: Problem['hint']): Problem => ({
  code: 'evaluation',
  message,
  path: [],
  ...(hint === undefined ? {} : { hint }),
});
const redacted = (message: Problem['message'], hint?: Problem['hint']) => {
  const report = toReport(redact(problem(message, hint)));
  return { message: report.message, hint: report.hint };
};

describe('the remedies of a hint', () => {
  const convert = advise(phrase`convert it: ${shown('int')}(${'hunter2'})`, {
    kind: 'convert',
    function: shown('int'),
  });
  const compare = advise(phrase`compare it: ${'hunter2'} > 0`, {
    kind: 'compare',
    expression: phrase`${'hunter2'} > 0`,
  });
  const remediesOf = (hint: Problem['hint'], change = redact): Report['remedies'] =>
    toReport(change(problem(phrase`wrong`, hint))).remedies;

  it('are those of the messages in it, in their order', () => {
    expect(toReport(problem(phrase`wrong`, phrase`${compare}, or ${convert}`)).remedies).toEqual([
      { kind: 'compare', expression: 'hunter2 > 0' },
      { kind: 'convert', function: 'int' },
    ]);
  });
  it('are removed with a hint that quotes a value of a Secret', () => {
    expect(remediesOf(phrase`${compare}, or ${convert}`)).toBeUndefined();
  });
  it('are removed if an argument quotes a value of a Secret, and others stay', () => {
    const both = advise(phrase`${quote('hunter2', 'the value')}`, [
      { kind: 'rename', to: quote('hunter2', 'the value') },
      { kind: 'convert', function: shown('int') },
    ]);
    expect(remediesOf(both)).toEqual([{ kind: 'convert', function: 'int' }]);
  });
  it('stay if the values are shown', () => {
    expect(remediesOf(compare, show)).toEqual([{ kind: 'compare', expression: 'hunter2 > 0' }]);
  });
  it('have no shortened argument', () => {
    expect(
      toReport(problem(phrase`wrong`, advise(phrase`rename it`, renameTo(phrase`${'x'.repeat(5000)}`)))).remedies,
    ).toEqual([]);
  });
});

describe('a message', () => {
  it('is formatted with the values that it quotes', () => {
    const inner = phrase`got ${1n} of ${2}`;
    expect(format(phrase`'${'a'}': ${inner}, ${shown('string')}`)).toBe("'a': got 1 of 2, string");
  });

  it('hides the values that it quotes, also those of messages inside, and shows the rest', () => {
    const inner = phrase`got ${'hunter2'}`;
    expect(redacted(phrase`expected ${shown('int')}, ${inner}`).message).toBe('expected int, got (hidden)');
  });

  it('replaces a hidden value with the text that its quote gives', () => {
    expect(redacted(phrase`${quote('hunter2', 'the value')} is too long`).message).toBe('the value is too long');
  });

  it('becomes the meaning of its code if it only quotes', () => {
    expect(redacted(phrase`${'hunter2'}: ${'hunter3'}`).message).toMatch(/^The evaluation .*a Secret is involved\)$/);
  });

  it('cannot be put into a string or into JSON by mistake', () => {
    const message = phrase`got ${'hunter2'}`;
    expect(() => `${message as unknown as string}`).toThrow('a message is not a string');
    expect(() => JSON.stringify({ message })).toThrow('a message is not a string');
  });

  it('is not a plain string for the compiler', () => {
    const value = 'hunter2';
    // @ts-expect-error a message is made with phrase
    expect(problem(`got ${value}`)).toBeDefined();
    // @ts-expect-error a text is made by format or composeText
    const report: Report = { code: 'evaluation', message: `got ${value}`, path: [] };
    expect(report).toBeDefined();
    const [file, values] = ['a.yaml' as string, ['hunter2'] as string[]];
    expect(composeText`no file ${trusted.file(file)}, ${2} ${'times'}`).toBe('no file a.yaml, 2 times');
    // @ts-expect-error a string may be a value of a Secret
    expect(composeText`no ${file}`).toBeDefined();
    // @ts-expect-error and so may its part, however it is typed
    expect(composeText`no ${`x-${file}` as `x-${string}`}`).toBeDefined();
    // @ts-expect-error a list is not a text
    expect(composeText`no ${values}`).toBeDefined();
  });
});

describe('the hint of a redacted problem', () => {
  it('stays if it quotes nothing', () => {
    expect(redacted(phrase`wrong`, phrase`write ${shown('int')}`).hint).toBe('write int');
  });

  it('stays with the replacement of its quotes', () => {
    expect(redacted(phrase`wrong`, phrase`write int(${quote('hunter2', '...')})`).hint).toBe('write int(...)');
  });

  it('is omitted if it quotes a value', () => {
    expect(redacted(phrase`wrong`, phrase`write int(${'hunter2'})`).hint).toBeUndefined();
  });
});
