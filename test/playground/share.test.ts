import { describe, expect, it } from 'vitest';
import { decodeShared, encodeShared } from '../../playground/state/share.ts';
import { packed } from './packed.ts';

const contents = {
  files: [
    { name: 'a.yaml', text: 'a: ${schema.spec.x}\n# é 🎈', role: 'objects' as const },
    { name: 'observed.yaml', text: '', role: 'observed' as const },
  ],
  options: { namespace: 'x', onPending: 'skip' as const, strict: true },
};

const files = (...given: readonly object[]): string => packed(JSON.stringify({ files: given, options: {} }));

describe('a share link', () => {
  it('holds files, roles and options', async () => {
    const text = await encodeShared(contents);
    expect(text).toMatch(/^[\w-]+$/);
    expect(await decodeShared(text)).toEqual(contents);
  });

  it('drops unknown options and members', async () => {
    const foreign = {
      files: [{ ...contents.files[0], more: 1 }],
      options: { onPending: 'x', all: true, namespace: 3 },
    };
    expect(await decodeShared(packed(JSON.stringify(foreign)))).toEqual({ files: [contents.files[0]], options: {} });
  });

  it.each([
    ['is empty', '', 'it is empty'],
    ['has another version', packed('{}', 9), 'version 9 is not known here'],
    ['is no base64', 'a"><script>', 'it was not made by this page'],
    ['was cut off', files(...contents.files).slice(0, 40), 'it was cut off or changed on its way'],
    ['is no JSON', packed('x'), 'it was not made by this page'],
    ['is of another program', packed('{"a":1}'), 'it holds no files'],
    ['is a list', packed('[1]'), 'it holds no files'],
    ['has a file without a text', files({ name: 'a' }), 'a file has a name and a text'],
    ['has an unknown role', files({ name: 'a', text: '', role: 'x' }), 'a file has a role that is not known'],
    [
      'climbs out of its folder',
      files({ name: '../a', text: '' }),
      'a name is a path below the folder, such as apps/site.yaml',
    ],
    ['has two files of one name', files({ name: 'a', text: '' }, { name: 'a', text: '' }), 'there is a file a'],
    [
      'has control characters in a name',
      files({ name: 'a\u202eb', text: '' }),
      'a name has no control characters and no \\',
    ],
    [
      'holds more than 5 MB',
      files({ name: 'a', text: 'x'.repeat(5_000_001) }),
      '5.0 MB are more than the 5 MB that a page takes',
    ],
    ['is longer than any link', 'A'.repeat(2_000_001), 'it is too long'],
  ])('that %s is rejected', async (_, text, fault) => {
    await expect(decodeShared(text)).rejects.toThrow(`this link cannot be opened: ${fault}`);
  });
});
