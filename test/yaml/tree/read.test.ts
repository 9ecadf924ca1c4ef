import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readStream } from '../../../src/yaml/parse/index.ts';
import { readTrees, treeValue } from '../../../src/yaml/tree/index.ts';

/** `TREE_FILES=FOLDER` tests the files of another folder. */
const folder = process.env.TREE_FILES ?? new URL('../../../examples/', import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => /\.(ya?ml|json)$/.test(name));

// By YAML 1.2, 9.1: a document without content is an empty node, which is null.
describe('the tree of a document without content', () => {
  it.each([
    ['', 0],
    ['---', 1],
    ['---\n', 1],
    ['---\n# only a comment\n', 1],
    ['--- \n\n---\n', 2],
  ])('%j is empty', (text, count) => {
    const trees = readTrees(text);
    expect(trees).toHaveLength(count);
    for (const { root } of trees) expect(treeValue(text, root)).toBeNull();
  });
});

describe('the tree of a text that parses', () => {
  it.each(files)('has the keys and values of %s', (file: string) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    const { documents, problems } = readStream(text);
    if (problems.length > 0) return;
    const trees = readTrees(text);
    for (const { index, value } of documents) {
      const tree = trees[index];
      expect(tree && treeValue(text, tree.root)).toEqual(value);
    }
  });
});
