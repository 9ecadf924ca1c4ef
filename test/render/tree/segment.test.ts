import { describe, expect, it } from 'vitest';
import { MAX_SEGMENT, safeSegment } from '../../../src/render/tree/place.ts';

describe('a file name', () => {
  it.each(['deployment-blog', 'Role-x', 'a.b.c', 'com10', 'console', 'ä', 'nullable.yaml', '-x'])(
    'is kept if it is valid in every file system: %s',
    (text) => expect(safeSegment(text)).toEqual({ text, changed: false }),
  );

  it.each([
    ['system:node', 'system_node'],
    ['a<b>c"d/e\\f|g?h*i%j', 'a_b_c_d_e_f_g_h_i_j'],
    ['a\u0000b\nc\u202ed\ud800e', 'a_b_c_d_e'],
    ['.hidden', '_hidden'],
    ['..', '__'],
    ['ends.', 'ends_'],
    ['ends ', 'ends_'],
    ['con', 'con_'],
    ['NUL', 'NUL_'],
    ['aux.example.com', 'aux_.example.com'],
    ['com1', 'com1_'],
    ['LPT¹.x', 'LPT¹_.x'],
  ])('%j becomes %j', (text, safe) => expect(safeSegment(text)).toEqual({ text: safe, changed: true }));

  it('is truncated between characters if it is too long', () => {
    expect(safeSegment('a'.repeat(MAX_SEGMENT)).changed).toBe(false);
    expect(safeSegment('a'.repeat(MAX_SEGMENT + 1))).toEqual({ text: 'a'.repeat(MAX_SEGMENT), changed: true });
    expect(safeSegment('a'.repeat(MAX_SEGMENT - 9), 10).text).toBe('a'.repeat(MAX_SEGMENT - 10));
    expect(safeSegment('😀'.repeat(100)).text).toBe('😀'.repeat(MAX_SEGMENT / 4));
    expect(safeSegment(`${'a'.repeat(MAX_SEGMENT - 1)}.b`).text).toBe(`${'a'.repeat(MAX_SEGMENT - 1)}_`);
  });
});
