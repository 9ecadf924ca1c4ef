import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** A row of the table: what it calls files or folders, and what these declare. */
interface Row {
  question: string;
  paths: string[];
  names: string[];
}

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

const section = contributing.split('### One place for each question\n')[1]?.split('\n## ')[0] ?? '';

const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:question|-+) /.test(line))
  .map((line): Row => {
    const [, question = '', ...answer] = line.split(/ *\| */);
    const spans = [...answer.join('|').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
    return {
      question,
      paths: spans.filter((span) => span.includes('/')),
      names: spans.filter((span) => /^[A-Za-z]\w*$/.test(span) && !isFolder(join('src', span))),
    };
  });

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

const placeOf = (path: string): string => (existsSync(path) ? path : join('src', path));

/** Returns the sources that a row names: a file, or the files of a folder. */
function sourcesOf(path: string): string[] {
  const place = placeOf(path);
  if (!isFolder(place)) return place.endsWith('.ts') ? [place] : [];
  return readdirSync(place)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(place, name));
}

/** Reports whether a source exports a name, or has it as a field of an exported type. */
function exportsName(source: string, name: string): boolean {
  const text = readFileSync(source, 'utf8');
  const isDeclared = new RegExp(`^export (?:async )?(?:const|function\\*?|class|interface|type) ${name}\\b`, 'm');
  const isField = new RegExp(`^  (?:readonly )?${name}[?(:<]`, 'm');
  return isDeclared.test(text) || (/^export (?:interface|type|class) /m.test(text) && isField.test(text));
}

describe('the table "one place for each question" of CONTRIBUTING.md', () => {
  it('has its rows', () => expect(rows.length).toBeGreaterThan(25));

  it.each(rows)('$question', ({ paths, names }) => {
    expect(paths.filter((path) => !existsSync(placeOf(path)))).toEqual([]);
    const sources = paths.flatMap(sourcesOf);
    expect(names.filter((name) => !sources.some((source) => exportsName(source, name)))).toEqual([]);
    const isData = paths.some((path) => path.startsWith('data/'));
    expect(names.length > 0 || isData, 'the row names what answers').toBe(true);
  });
});
