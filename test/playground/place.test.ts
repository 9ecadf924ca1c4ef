import { describe, expect, it } from 'vitest';
import { type Place, placeOf, shortHashOf } from '../../playground/state/place.ts';

const linkTo = (text: string): Place => ({ kind: 'link', id: text });

describe('the short fragment of a place', () => {
  it('is different for links of the same length and with the same end, as those of one changed digit', () => {
    const links = ['1', '2', '3'].map((digit) => linkTo(`${digit}${'x'.repeat(5000)}`));
    expect(new Set(links.map(shortHashOf)).size).toBe(3);
    expect(shortHashOf(links[0] as Place).length).toBeLessThan(80);
    expect(shortHashOf(linkTo(`1${'x'.repeat(5000)}`))).toBe(shortHashOf(links[0] as Place));
  });

  it('is the fragment of an example', () => {
    expect(shortHashOf(placeOf('#example=pending'))).toBe('#example=pending');
  });
});
