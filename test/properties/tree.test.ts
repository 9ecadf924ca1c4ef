import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, parseAllDocuments } from 'yaml';
import { isSyntaxProblem, parseTree, readTrees, type ScalarNode, type YamlNode } from '../../src/yaml/tree/index.ts';
import { documents, styles } from './documents.ts';
import { LONG, runs } from './runs.ts';
import { values } from './values.ts';

/** Documents as the library writes them. */
const written = fc
  .tuple(values, styles)
  .map(([value, style]) => new Document({ value }, { version: '1.1' }).toString(style).replace(/^%YAML.*\n---\n?/, ''));

const STYLES: Readonly<Record<string, ScalarNode['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** What another library and this project both say of a node: where it is, and how it is written. */
type Outline = { range?: readonly number[]; style?: string; flow?: boolean; of?: readonly Outline[] };

/** Returns the outline of a node of the library `yaml`. */
function theirs(text: string, node: ParsedNode | null): Outline {
  if (node === null) return { style: 'empty' };
  if (isAlias(node)) return { range: node.range.slice(0, 2), style: 'alias' };
  const [start, end] = node.range;
  if (isScalar(node)) {
    const style = STYLES[String(node.type)] ?? 'empty';
    if (start === end && style === 'plain') return { style: 'empty' };
    // A block scalar begins at its header there, and at its lines here.
    return style === 'literal' || style === 'folded' ? { style } : { range: [start, end], style };
  }
  // A pair of a list in brackets has no braces of its own.
  const flow = node.flow === true && '{['.includes(text[start] ?? ' ');
  // A block begins at the tag of its first key there.
  const range = flow ? { range: [start, end] } : {};
  if (isMap(node)) {
    const of = node.items.flatMap(({ key, value }) =>
      [key, value].map((one) => theirs(text, one as ParsedNode | null)),
    );
    return { flow, ...range, of };
  }
  return isSeq(node) ? { flow, ...range, of: node.items.map((item) => theirs(text, item as ParsedNode | null)) } : {};
}

/** Returns the outline of a node of this project. */
function ours(node: YamlNode): Outline {
  const { start, end } = node;
  if (node.kind === 'scalar') {
    const { style } = node;
    if (style === 'empty') return { style };
    return style === 'literal' || style === 'folded' ? { style } : { range: [start, end], style };
  }
  const { flow } = node;
  const range = flow ? { range: [start, end] } : {};
  if (node.kind === 'list') return { flow, ...range, of: node.items.map(({ value }) => ours(value)) };
  return { flow, ...range, of: node.entries.flatMap(({ key, value }) => [ours(key), ours(value)]) };
}

/** Returns where the texts of quoted and block scalars are, and how the last line of a block ends. */
function insides(node: YamlNode): unknown[] {
  if (node.kind === 'list') return node.items.flatMap(({ dash, value }) => [dash, ...insides(value)]);
  if (node.kind === 'map')
    return node.entries.flatMap(({ name, key, value }) => [name, ...insides(key), ...insides(value)]);
  return [node.innerStart, node.innerEnd, node.chomp];
}

const hasComplexKeys = (node: YamlNode): boolean => {
  if (node.kind === 'scalar') return false;
  if (node.kind === 'list') return node.items.some(({ value }) => hasComplexKeys(value));
  return node.entries.some(({ key, value }) => key.style === 'complex' || hasComplexKeys(value));
};

/** Reports whether a plain text in brackets has several lines. */
function isFolded(text: string, node: YamlNode, isInBrackets: boolean): boolean {
  if (node.kind === 'scalar')
    return isInBrackets && node.style === 'plain' && text.slice(node.start, node.end).includes('\n');
  const isWithin = isInBrackets || node.flow;
  if (node.kind === 'list') return node.items.some(({ value }) => isFolded(text, value, isWithin));
  return node.entries.some(({ key, value }) => isFolded(text, key, isWithin) || isFolded(text, value, isWithin));
}

describe('the tree of a document', () => {
  it('has the places and the styles that the library yaml finds', { timeout: LONG }, () => {
    const { numRuns } = runs(600);
    let compared = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const [document, ...others] = parseAllDocuments(text, { version: '1.1', logLevel: 'silent' });
        const tree = parseTree(text);
        if (document === undefined || others.length > 0 || document.errors.length > 0 || isSyntaxProblem(tree)) return;
        if (!('contents' in document) || hasComplexKeys(tree.root)) return;
        compared += 1;
        expect(ours(tree.root)).toEqual(theirs(text, document.contents as ParsedNode | null));
      }),
      { numRuns },
    );
    expect(compared).toBeGreaterThan(numRuns / 4);
  });

  it('that is being edited is the tree of the valid document', { timeout: LONG }, () => {
    const { numRuns } = runs(600);
    let compared = 0;
    fc.assert(
      fc.property(written, (text) => {
        const [edited, ...others] = readTrees(text);
        const tree = parseTree(text);
        if (edited === undefined || others.length > 0 || isSyntaxProblem(tree)) return;
        // The reader does not resolve aliases, tags and keys after `?`, and a word in brackets ends with its line.
        if (isFolded(text, tree.root, false)) return;
        if (tree.aliases.length > 0 || tree.hasTags || hasComplexKeys(tree.root) || /(^|[ -])\?[ \r\n]/m.test(text))
          return;
        compared += 1;
        expect(ours(edited.root)).toEqual(ours(tree.root));
        expect(insides(edited.root)).toEqual(insides(tree.root));
      }),
      { numRuns },
    );
    expect(compared).toBeGreaterThan(numRuns / 4);
  });
});
