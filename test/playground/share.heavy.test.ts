import { describe, expect, it } from 'vitest';
import { decodeShared } from '../../playground/state/share.ts';
import { packed } from './packed.ts';

describe('a share link', () => {
  it('with a decompression bomb is rejected before it is unpacked', async () => {
    const bomb = packed(Buffer.alloc(400_000_000, 32));
    expect(bomb.length).toBeLessThan(2_000_000);
    const before = process.memoryUsage().rss;
    await expect(decodeShared(bomb)).rejects.toThrow('it holds more than the 5 MB that a page takes');
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });
});
