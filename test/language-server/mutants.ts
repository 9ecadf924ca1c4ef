import { Language } from './language.ts';

const URI = 'file:///mutants/rgd.yaml';

/** Sends every request at a position of any text. An exception fails the test, and so does an internal type that is shown. */
export function askEverything(language: Language, text: string, offset: number): void {
  language.workspace.open(URI, text, 1);
  const file = language.workspace.files.get(URI);
  const position = file?.positionAt(offset) ?? { line: 0, character: 0 };
  const range = { start: { line: 0, character: 0 }, end: file?.positionAt(text.length) ?? position };
  const shown = [
    language.completions(URI, position, true),
    language.hover(URI, position),
    language.signature(URI, position),
    language.inlayHints(URI, range),
  ];
  if (JSON.stringify(shown).includes('!error!')) throw new Error(`an internal type at ${JSON.stringify(position)}`);
  language.definition(URI, position);
  language.references(URI, position);
  language.rename(URI, position, 'other');
  language.symbols(URI);
  language.folding(URI);
  language.tokens(URI);
  while (language.checkNext());
  language.diagnostics(URI);
  language.actions(URI, range);
  language.actions(URI, { start: position, end: position });
  language.preview(URI);
  language.graph(URI, 'mermaid');
  language.lenses(URI);
}

/** Sends every request at the end of each prefix of a text, or of one in `every`. */
export function askPrefixes(text: string, every: number): void {
  const language = new Language();
  for (let end = 0; end <= text.length; end += every) askEverything(language, text.slice(0, end), end);
}

const PIECES = [
  '${',
  '}',
  '"',
  "'",
  '\n',
  '  ',
  ': ',
  '- ',
  '|',
  '{',
  '[',
  '.',
  'schema.spec.',
  '\t',
  '&a ',
  '*a',
  '---\n',
  '#',
  '\r',
  '\u{1F600}',
];

/** Sends every request after a random insertion or removal. */
export function askEdits(text: string, random: () => number, times: number): void {
  const language = new Language();
  const below = (limit: number): number => Math.floor(random() * limit);
  for (let time = 0; time < times; time += 1) {
    const at = below(text.length + 1);
    const piece = below(3) === 0 ? '' : (PIECES[below(PIECES.length)] ?? '');
    const taken = below(2) === 0 ? 0 : below(20);
    askEverything(language, text.slice(0, at) + piece + text.slice(at + taken), at + piece.length);
  }
}

/** Returns pseudo-random numbers from 0 to 1 for a seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
