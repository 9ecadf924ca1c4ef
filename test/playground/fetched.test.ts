import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressFault, fetchedFiles, requestFor } from '../../playground/state/fetched.ts';

afterEach(() => vi.unstubAllGlobals());

describe('addresses of GitHub', () => {
  it.each([
    ['https://github.com/kro-run/kro', 'repos/kro-run/kro/contents/'],
    ['https://github.com/kro-run/kro/blob/main/a/b.yaml', 'repos/kro-run/kro/contents/a/b.yaml?ref=main'],
    ['https://github.com/kro-run/kro/tree/v1.0/examples/', 'repos/kro-run/kro/contents/examples?ref=v1.0'],
    ['https://gist.github.com/someone/0a1b2c', 'gists/0a1b2c'],
  ])('reads %s', (address, request) => {
    expect(requestFor(address)).toBe(`https://api.github.com/${request}`);
    expect(addressFault(address)).toBeUndefined();
  });

  it.each(['https://example.com/a/b', 'http://github.com/a/b', 'https://github.com/a', 'github.com/a/b', ''])(
    'refuses "%s"',
    (address) => {
      expect(addressFault(address)).toContain('github.com');
    },
  );

  it('returns the manifests of a folder, and reports an error', async () => {
    const answers: Record<string, unknown> = {
      'https://api.github.com/repos/a/b/contents/': [
        { name: 'x.yaml', url: 'https://api.github.com/x' },
        { name: 'README.md', url: 'https://api.github.com/readme' },
      ],
      'https://api.github.com/x': { name: 'x.yaml', content: 'YTog\nw7w=\n' },
    };
    vi.stubGlobal('fetch', async (url: string) =>
      url in answers ? Response.json(answers[url]) : new Response('', { status: 404, statusText: 'Not Found' }),
    );
    const files = await fetchedFiles('https://github.com/a/b');
    expect(await Promise.all(files.map(async (file) => [file.name, await file.text()]))).toEqual([['x.yaml', 'a: ü']]);
    await expect(fetchedFiles('https://github.com/a/c')).rejects.toThrow('GitHub answers 404 Not Found');
  });
});
