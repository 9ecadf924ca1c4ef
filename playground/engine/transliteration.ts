/**
 * Replaces `data/transliteration.json` in the page, which is a tenth of a first load and is used
 * only by `slugify`: it is loaded when a template contains that function.
 */
type Table = typeof import('../../data/transliteration.json');

const table: Omit<Table, 'source'> = {
  digits: '',
  hangul: { initials: '', vowels: '', finals: '' },
  words: [],
  indexes: [],
};
export default table;

/** Loads the table if a request, as JSON, contains the function. */
export async function loadTransliteration(request: string): Promise<void> {
  if (table.digits !== '' || !request.includes('slugify')) return;
  Object.assign(table, (await import('../../data/transliteration.json')).default);
}
