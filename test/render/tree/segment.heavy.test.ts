import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SEGMENT, safeSegment } from '../../../src/render/tree/place.ts';
import { runs } from '../../properties/runs.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('a file name', () => {
  it('is valid in every file system, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (text) => {
        const { text: safe, changed } = safeSegment(text);
        expect(safe).not.toMatch(/[<>:"/\\|?*%\p{Cc}]|^\.|[. ]$|^$/u);
        expect(safe.split('.')[0]).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/i);
        expect(bytes(safe)).toBeLessThanOrEqual(MAX_SEGMENT);
        expect(changed).toBe(safe !== text);
      }),
      runs(100),
    );
  });
});
