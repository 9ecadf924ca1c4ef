/** The reference page of an RGD. */

export { referencePage } from './page.ts';

/** The markers around the page in another one. */
export const INJECTED = { begin: '<!-- render-rgd docs begin -->', end: '<!-- render-rgd docs end -->' } as const;

/** Replaces the page between the markers of a text; returns `undefined` unless it has both, once each and in order. */
export function inject(text: string, page: string): string | undefined {
  const { begin, end } = INJECTED;
  const [before, rest, ...more] = text.split(begin);
  const [, behind, ...others] = rest?.split(end) ?? [];
  if (before === undefined || behind === undefined || more.length > 0 || others.length > 0) return undefined;
  return before.includes(end) ? undefined : `${before}${begin}\n\n${page.trimEnd()}\n\n${end}${behind}`;
}
