import { describe, expect, it } from 'vitest';
import { SourceFile } from '../../src/language-server/workspace/file.ts';

const document = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const objectsOf = (file: SourceFile): unknown[] => file.read.documents.map(({ object }) => object);
const next = (file: SourceFile, text: string): SourceFile => {
  expect(file.read.documents).not.toEqual([]);
  return new SourceFile(file.uri, text, 2, file);
};

describe('the next version of a file', () => {
  const first = new SourceFile('file:///a.yaml', `${document('a')}---\n${document('b')}`, 1);
  it('has the same objects if the text did not change', () => {
    const second = next(first, `${document('new')}---\n${document('b')}`);
    expect(objectsOf(second)[1]).toBe(objectsOf(first)[1]);
    expect(objectsOf(second)[0]).not.toEqual(objectsOf(first)[0]);
  });
  it('has the same objects if only comments and blanks changed', () => {
    const second = next(first, `# a\n${document('a')}---\n\n${document('b')}`);
    expect(objectsOf(second)).toHaveLength(2);
    objectsOf(second).forEach((object, index) => {
      expect(object).toBe(objectsOf(first)[index]);
    });
  });
  it('never contains one object twice', () => {
    const second = next(first, `${document('a')}---\n# again\n${document('a')}`);
    expect(new Set(objectsOf(second)).size).toBe(2);
  });
});
