/**
 * In the page this stands for `src/flux/functions/transliteration.generated.ts`, which is a tenth of a first load and
 * which only `slugify` reads: it is loaded when somebody names that function.
 */
type Table = typeof import('../../src/flux/functions/transliteration.generated.ts');

export let DIGITS = '';
export let HANGUL: Table['HANGUL'] = { initials: '', vowels: '', finals: '' };
export let INDEXES: Table['INDEXES'] = [];
export let WORDS: Table['WORDS'] = [];

/** Loads the table when a request names the function that reads it. */
export async function loadTransliteration(args: readonly unknown[]): Promise<void> {
  if (DIGITS !== '' || !JSON.stringify(args).includes('slugify')) return;
  const table = await import('../../src/flux/functions/transliteration.generated.ts');
  ({ HANGUL, INDEXES, WORDS, DIGITS } = table);
}
