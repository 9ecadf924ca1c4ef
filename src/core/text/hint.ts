/** Each kind of remedy, with the names of its arguments and what an editor does. */
export const REMEDY_KINDS = {
  rename: { arguments: ['to'], does: 'Writes this name, key or value in place of the one at the position.' },
  'rename-key': {
    arguments: ['key', 'to'],
    does: 'Writes this key in place of another one of the object at the position.',
  },
  'set-kind': { arguments: ['apiVersion', 'name'], does: 'Gives the object at the position this apiVersion and kind.' },
  'write-value': { arguments: ['value'], does: 'Writes this value in place of the one at the position.' },
  quote: { arguments: [], does: 'Puts the value in quotes.' },
  unquote: { arguments: [], does: 'Writes the value without quotes.' },
  'make-boolean': { arguments: [], does: 'Writes true or false in place of a word such as yes.' },
  'make-list': { arguments: [], does: 'Makes the value the only item of a list.' },
  'plain-quotes': { arguments: [], does: 'Writes plain quotes in place of typographic ones.' },
  convert: { arguments: ['function'], does: 'Calls this function of CEL with the whole expression.' },
  'convert-operand': { arguments: ['function'], does: 'Calls this function of CEL with one operand.' },
  'make-list-expression': { arguments: [], does: 'Makes the whole expression the only item of a list.' },
  'add-fallback': { arguments: ['value'], does: 'Adds this value to the whole expression, for an absent field.' },
  compare: { arguments: ['expression'], does: 'Writes this condition in place of the whole expression.' },
  rewrite: { arguments: ['expression'], does: 'Writes this expression in place of the whole one.' },
  replace: { arguments: ['text', 'by'], does: 'Replaces a text that begins or ends at the position.' },
  'read-with-fallback': {
    arguments: ['read'],
    does: 'Reads a field with this path, in which ? marks what may be absent.',
  },
  'declare-field': { arguments: ['name'], does: 'Declares this field in the schema.' },
  'declare-default': { arguments: ['read', 'declaration'], does: 'Declares the field that is read with this default.' },
  'add-field': { arguments: ['field'], does: 'Adds this field.' },
  'quote-marker': { arguments: ['marker', 'value'], does: 'Puts the value of this marker in quotes.' },
  'join-marker': { arguments: ['marker', 'value'], does: 'Writes the marker without white space around its =.' },
  'write-marker': { arguments: ['word', 'marker'], does: 'Writes this marker in place of the word.' },
} as const satisfies Record<string, { arguments: readonly string[]; does: string }>;

export type RemedyKind = keyof typeof REMEDY_KINDS;

type ArgumentsOf<K extends RemedyKind> = (typeof REMEDY_KINDS)[K]['arguments'][number];

/** What a program can do about a problem: its kind, and the texts that it needs. */
export type RemedyOf<T, K extends RemedyKind = RemedyKind> = {
  [One in K]: { readonly kind: One } & { readonly [A in ArgumentsOf<One>]: T };
}[K];

export type Remedy<K extends RemedyKind = RemedyKind> = RemedyOf<string, K>;

/** What to do about a problem, as a sentence and as data. Both are made together, so that neither is read from the other. */
export interface Hint {
  readonly text: string;
  readonly remedies: readonly Remedy[];
}

export const hint = (text: string, remedies: Remedy | readonly Remedy[] = []): Hint => ({
  text,
  remedies: 'kind' in remedies ? [remedies] : remedies,
});

/** Asks for one of some names; `text` differs where the names are written in another way. */
export const askFor = (names: readonly string[], text = question(names)): Hint =>
  hint(
    text,
    names.map((to): Remedy => ({ kind: 'rename', to })),
  );

const question = (names: readonly string[]): string => `did you mean ${names.map((name) => `'${name}'`).join(' or ')}?`;
