import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHECKED_FORMATS, hasFormat } from '../../../src/kubernetes/validation/index.ts';
import { readFormats } from '../../differential/recorded.ts';

const { texts, formats } = readFormats(readFileSync('test/differential/recorded/formats.jsonl', 'utf8'));

describe('a format', () => {
  it.each(formats)('rejects what an API server rejects: $format', ({ format, refused }) => {
    expect(texts.filter((text) => !hasFormat(format, text))).toEqual(refused);
  });

  it('is recorded', () => {
    expect(formats.map(({ format }) => format)).toEqual(CHECKED_FORMATS);
    expect(texts.length).toBeGreaterThan(250);
  });
});
