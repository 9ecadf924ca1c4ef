import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readStream } from '../../../src/yaml/parse/index.ts';
import { readTrees, treeValue } from '../../../src/yaml/tree/index.ts';

/** `TREE_FILES=FOLDER` tests the files of another folder. */
const folder = process.env.TREE_FILES ?? new URL('../../../examples/', import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => /\.(ya?ml|json)$/.test(name));

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
