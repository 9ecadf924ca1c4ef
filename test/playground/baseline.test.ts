import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetBaseline, loadBaseline, openedContents, saveBaseline } from '../../playground/state/baseline.ts';
import type { Place } from '../../playground/state/place.ts';
import type { Contents } from '../../playground/state/workspace.ts';

const linkTo = (text: string): Place => ({ kind: 'link', id: text });

/** A browser's storage. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => void items.set(key, text),
  };
}

const contentsWith = (text: string): Contents => ({ files: [{ name: 'a.yaml', text, role: 'objects' }], options: {} });

describe('the baseline of changes', () => {
  beforeEach(() => {
    vi.stubGlobal('localStorage', storage());
    vi.stubGlobal('sessionStorage', storage());
    forgetBaseline();
  });
  afterEach(() => vi.unstubAllGlobals());

  // Links to packages that differ in one character may have the same length and the same end.
  const [first, second] = ['1', '2'].map((digit) => linkTo(`${digit}${'x'.repeat(200)}`)) as [Place, Place];

  it('is kept for one link, and not for another that has the same length and end', () => {
    saveBaseline(first, { kind: 'pinned', contents: contentsWith('first') });
    forgetBaseline();
    expect(loadBaseline(first)).toMatchObject({ kind: 'pinned', contents: contentsWith('first') });
    expect(loadBaseline(second)).toEqual({ kind: 'opened' });
  });

  it('has the files that each link opened', () => {
    expect(openedContents(first, contentsWith('first'))).toEqual(contentsWith('first'));
    expect(openedContents(second, contentsWith('second'))).toEqual(contentsWith('second'));
    expect(openedContents(first, contentsWith('changed'))).toEqual(contentsWith('first'));
  });
});
