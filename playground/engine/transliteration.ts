/**
 * Replaces `src/flux/functions/transliteration.generated.ts` in the page, which is a tenth of a first load and is used
 * only by `slugify`: it is loaded when a template contains that function.
 */
type Table = typeof import('../../src/flux/functions/transliteration.generated.ts');

export let DIGITS = '';
export let HANGUL: Table['HANGUL'] = { initials: '', vowels: '', finals: '' };
export let INDEXES: Table['INDEXES'] = [];
export let WORDS: Table['WORDS'] = [];

/** Loads the table if a request contains the function. */
export async function loadTransliteration(args: readonly unknown[]): Promise<void> {
  if (DIGITS !== '' || !JSON.stringify(args).includes('slugify')) return;
  const table = await import('../../src/flux/functions/transliteration.generated.ts');
  ({ HANGUL, INDEXES, WORDS, DIGITS } = table);
}
