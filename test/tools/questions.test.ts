import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** A row of the table "One place for each question" of CONTRIBUTING.md. */
interface Question {
  question: string;
  /** Files and folders that answer it, from the root of the repository. */
  places: readonly string[];
  /** Names that they export. */
  names: readonly string[];
}

/** Words that are no names of the sources: `explain` is a command. */
const WORDS: ReadonlySet<string> = new Set([
  'compat',
  'diff',
  'explain',
  'plan',
  '(hidden)',
  'record[key]',
  'schema rgd',
  '--allow',
]);

function questionsOf(page: string): readonly Question[] {
  const [, section = ''] = page.split('### One place for each question');
  const rows = section
    .split('\n## ', 1)[0]
    ?.split('\n')
    .filter((line) => /^\| (?!question|-)/.test(line));
  return (rows ?? []).map((row) => {
    const [, question = '', answer = ''] = row.split('|').map((cell) => cell.trim());
    const quoted = [...answer.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const places = quoted.filter((text) => text.includes('/')).map(placeOf);
    const names = quoted.filter((text) => !text.includes('/') && !WORDS.has(text));
    return { question, places, names };
  });
}

/** Paths in the table are those of src, unless they begin with another folder of the repository. */
const placeOf = (path: string): string => (/^(?:data|tools|test)\//.test(path) ? path : join('src', path));

/** Returns the texts of a file, or of the sources in a folder. */
function textsIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [readFileSync(path, 'utf8')];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.map((name) => readFileSync(join(path, name), 'utf8'));
}

/** Reports whether a text exports a name, or has a member that is called so. */
const declares = (text: string, name: string): boolean =>
  new RegExp(`\\bexport (?:abstract )?(?:async )?(?:class|const|function\\*?|interface|type) ${name}\\b`).test(text) ||
  new RegExp(`^ +(?:readonly )?${name}[?]?[:(]`, 'm').test(text);

const questions = questionsOf(readFileSync('CONTRIBUTING.md', 'utf8'));

describe('the table of CONTRIBUTING.md with one place for each question', () => {
  it('has rows with places', () => {
    expect(questions.length).toBeGreaterThan(20);
    expect(questions.filter(({ places }) => places.length === 0)).toEqual([]);
  });

  it.each(questions)('$question', ({ places, names }) => {
    expect(places.filter((place) => !existsSync(place))).toEqual([]);
    const texts = places.flatMap(textsIn);
    expect(names.filter((name) => !texts.some((text) => declares(text, name)))).toEqual([]);
  });
});
