import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { proseOf } from './links.ts';
import { blocksOf } from './page.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));

describe.each(pages.filter((name) => name !== 'README.md'))('%s', (page) => {
  it('says in its first paragraph for whom it is', () => {
    const paragraphs = read(`docs/${page}`)
      .split(/\n{2,}/)
      .filter((part) => !part.startsWith('<!--'));
    expect(paragraphs[0]).toMatch(/^# \S/);
    expect(paragraphs[1]).toMatch(/^For [a-z]/);
  });

  it('has one title', () => {
    expect(proseOf(read(`docs/${page}`)).match(/^# /gm)).toHaveLength(1);
  });
});

/** A sentence of this many words that two pages share is written twice. */
const LEAST_WORDS = 9;
/** The part of its words that a sentence shares with a nearly equal one. */
const NEARLY = 0.8;

interface Sentence {
  page: string;
  text: string;
  words: ReadonlySet<string>;
}

/** Returns the sentences of a page outside of its tables and examples. */
function sentencesOf(page: string): Sentence[] {
  const lines = proseOf(read(page))
    .split('\n')
    .map((line) => (/^\s*\|/.test(line) ? '' : line.replace(/^\s*(?:[-*]|\d+\.) /, '\n')));
  const paragraphs = lines.join('\n').split(/\n\s*\n/);
  return paragraphs.flatMap((paragraph) => {
    const text = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
    return text.split(/(?<=[.:!?]) /).flatMap((sentence): Sentence[] => {
      const words = sentence.toLowerCase().match(/[a-z0-9-]+/g) ?? [];
      return words.length < LEAST_WORDS ? [] : [{ page, text: sentence, words: new Set(words) }];
    });
  });
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return common / (one.size + other.size - common);
}

/** Sentences of two pages that must both say it, by the beginning of the sentence. */
const ON_PURPOSE: readonly string[] = [];

it('no page says what another page says', () => {
  const all = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap(sentencesOf);
  const byWord = new Map<string, Sentence[]>();
  for (const sentence of all) {
    for (const word of sentence.words) {
      const list = byWord.get(word);
      if (list === undefined) byWord.set(word, [sentence]);
      else list.push(sentence);
    }
  }
  const rarest = ({ words }: Sentence): readonly Sentence[] => {
    const lists = [...words].map((word) => byWord.get(word) ?? []);
    return lists
      .sort((a, b) => a.length - b.length)
      .slice(0, 4)
      .flat();
  };
  const twice = all.flatMap((one) => {
    const others = new Set(rarest(one).filter(({ page }) => page > one.page));
    return [...others]
      .filter((other) => shared(one.words, other.words) >= NEARLY)
      .map((other) => `${one.page}: ${one.text}\n${other.page}: ${other.text}`);
  });
  expect(twice.filter((pair) => !ON_PURPOSE.some((start) => pair.includes(start)))).toEqual([]);
});

describe('docs/argocd-chart.md', () => {
  const [values] = blocksOf(read('docs/argocd-chart.md')).filter(({ text }) => text.startsWith('repoServer:'));
  const given = load(values?.text ?? '') as {
    repoServer: { extraContainers: unknown[]; volumes: unknown[] };
    configs: { params: Record<string, string> };
  };
  const patches = load(read('examples/argocd/sidecar/repo-server.yaml')) as { path: string; value: unknown }[];
  const valuesAt = (path: string): unknown[] => patches.filter((one) => one.path === path).map(({ value }) => value);

  it('has the container and the volumes of the component', () => {
    expect(given.repoServer.extraContainers).toEqual(valuesAt('/spec/template/spec/containers/-'));
    expect(given.repoServer.volumes).toEqual(valuesAt('/spec/template/spec/volumes/-'));
  });

  it('has the parallelism of the component', () => {
    const { data } = load(read('examples/argocd/sidecar/parallelism.yaml')) as { data: Record<string, string> };
    expect(given.configs.params).toEqual(data);
  });
});
