import { describe, expect, it } from 'vitest';
import { createLocator } from '../../../src/yaml/locate/index.ts';
import { mergedEntries, nodeAt, parseTree, type SyntaxTree, walkTree } from '../../../src/yaml/tree/index.ts';

const text = `a: &a {p: q, "r\\u0061": 's'}
b:
  <<: *a
  p: t
c:
  -
  - *a
  - |
    u
  - v
`;

const tree = parseTree(text) as SyntaxTree;
const written = (path: (string | number)[]): string => {
  const node = nodeAt(tree.root, path);
  return text.slice(node?.start, node?.end);
};

describe('the tree of a valid document', () => {
  it('has the ranges of its nodes, without anchors', () => {
    expect(written(['a'])).toBe(`{p: q, "r\\u0061": 's'}`);
    expect(written(['a', 'ra'])).toBe("'s'");
    expect(written(['c', 2])).toBe('    u\n');
    expect(written(['c', 0])).toBe('');
  });

  it('has the dash of each item, also of an empty one', () => {
    const list = nodeAt(tree.root, ['c']);
    const dashes = list?.kind === 'list' ? list.items.map(({ dash }) => dash) : [];
    expect(dashes).toEqual([...text.matchAll(/-(?=\s)/g)].map(({ index }) => index));
  });

  it('has the targets of aliases, and the entries that a map merges', () => {
    const anchored = nodeAt(tree.root, ['a']);
    expect(tree.aliases.map(({ target }) => target === anchored)).toEqual([true, true]);
    const entries = mergedEntries(nodeAt(tree.root, ['b']) ?? tree.root);
    expect([...entries].map(([name, { value }]) => [name, text.slice(value.start, value.end)])).toEqual([
      ['p', 't'],
      ['ra', "'s'"],
    ]);
  });

  it('contains the offsets of the document only', () => {
    walkTree(tree.root, ({ start, end }) => {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(end).toBeLessThanOrEqual(text.length);
    });
  });
});

describe('the position of a value', () => {
  const at = (source: string, path: string[]): unknown => {
    const found = createLocator()({ text: source, document: 0, path });
    return found && [found.line, found.column];
  };

  it('is found below a key that is an alias', () => {
    expect(at('- x\n', [])).toEqual([1, 1]);
    expect(at('a: &k name\nb:\n  *k : here\n', ['b', 'name'])).toEqual([3, 8]);
  });

  it('of an empty key with a tag is in its line', () => {
    expect(at('a: b\nspec: {!!str }\n', ['spec', ''])).toEqual([2, 13]);
  });
});
