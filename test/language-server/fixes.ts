import { readdirSync, readFileSync } from 'node:fs';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { parseAllDocuments } from 'yaml';
import { codes } from '../../src/core/diagnostics/diagnostic.ts';
import { fixTexts } from '../../src/language-server/fix-texts.ts';
import { defaultCheckSettings } from '../../src/language-server/workspace/check.ts';
import { readTrees, walkTree } from '../../src/yaml/tree/index.ts';
import { corpus, type RgdText } from './corpus.ts';
import { Language } from './language.ts';

const URI = 'file:///app/rgd.yaml';
const ALL = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };
const ERROR = 1;

interface State {
  language: Language;
  diagnostics: readonly Diagnostic[];
}

function stateOf(text: string): State {
  const language = new Language();
  language.workspace.open(URI, text, 1);
  while (language.checkNext());
  return { language, diagnostics: language.diagnostics(URI) };
}

/** Returns the text after an action of the editor, as the protocol defines it: all edits refer to the original text. */
function withEdits(text: string, { edit }: CodeAction): string {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length)];
  const offsetOf = ({ line, character }: { line: number; character: number }): number =>
    Math.min((starts[line] ?? text.length) + character, text.length);
  return [...(edit?.changes?.[URI] ?? [])]
    .map(({ range, newText }) => ({ start: offsetOf(range.start), end: offsetOf(range.end), newText }))
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end), text);
}

/** The YAML parser of eemeli/yaml decides whether a text is YAML; the last of two equal keys wins in Kubernetes. */
const isYaml = (text: string): boolean =>
  [...parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })].every(({ errors }) => errors.length === 0);

/**
 * Returns the code and the message without its hint, which follows what else the text declares, and without lines, which
 * an edit moves.
 */
function keyOf({ code, message, data }: Diagnostic): string {
  const { hint } = data as { hint?: string };
  const text = hint === undefined ? String(message) : String(message).slice(0, -hint.length - 1);
  return `${code} ${text.replace(/:\d+:\d+\)/g, ')')}`;
}

/** Returns the messages of `after` that are not in `before`, each as often as it is new. */
function added(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
  const left = before.map(keyOf);
  return after.filter((one) => {
    const at = left.indexOf(keyOf(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const STAGES = ['parse', 'compile', 'instance', 'expand', 'collision'];
const stageOf = ({ code }: Diagnostic): number => {
  const { stage } = codes[code as keyof typeof codes];
  return STAGES.indexOf(stage);
};

interface Corruption {
  title: string;
  diagnostic: string;
  why: string;
  text: string;
  after: string;
}

/**
 * Applies every fix that is offered for a text, each alone, and returns those that leave the text worse: it no longer
 * parses, the diagnostic remains, or there is another error. An error of a later stage was hidden by the fixed one.
 */
export function corruptionsIn(text: string): { offered: number; corruptions: Corruption[] } {
  const { language, diagnostics } = stateOf(text);
  const actions = language.actions(URI, ALL).filter(({ kind }) => kind === 'quickfix');
  const wasYaml = isYaml(text);
  const corruptions = actions.flatMap((action): Corruption[] => {
    const [fixed] = action.diagnostics ?? [];
    if (fixed === undefined) return [];
    const after = withEdits(text, action);
    const now = stateOf(after).diagnostics;
    const others = added(diagnostics, now).filter(
      (one) => one.severity === ERROR && !(fixed.severity === ERROR && stageOf(one) > stageOf(fixed)),
    );
    const count = (list: readonly Diagnostic[]): number => list.filter((one) => keyOf(one) === keyOf(fixed)).length;
    const whys = [
      ...(wasYaml && !isYaml(after) ? ['is no YAML'] : []),
      ...(count(now) >= count(diagnostics) ? ['the diagnostic remains'] : []),
      ...others.map((one) => `new: ${keyOf(one)}`),
    ];
    return whys.map((why) => ({ title: action.title, diagnostic: keyOf(fixed), why, text, after }));
  });
  return { offered: actions.length, corruptions };
}

/** What all certain fixes together leave wrong, and how many there were. */
export function faultsOfAllFixes(text: string): { fixed: number; faults: string[] } {
  const apply = (given: string) =>
    fixTexts({ texts: new Map([[URI, given]]), beside: new Map(), folder: 'file:///app' }, defaultCheckSettings);
  const { changed, count, isComplete } = apply(text);
  const after = changed.get(URI);
  if (after === undefined) return { fixed: 0, faults: count === 0 ? [] : ['fixes without a change'] };
  const before = stateOf(text).diagnostics;
  const now = stateOf(after).diagnostics;
  const errors = before.filter(({ severity }) => severity === ERROR);
  const earliest = Math.min(...errors.map(stageOf));
  // What a fixed error of an earlier stage hid is no fault.
  const others = added(before, now).filter((one) => one.severity === ERROR && !(stageOf(one) > earliest));
  const faults = others.map((one) => `new: ${keyOf(one)}`);
  if (isYaml(text) && !isYaml(after)) faults.push('is no YAML');
  if (isComplete && apply(after).count > 0) faults.push('a second run fixes more');
  return { fixed: count, faults };
}

/** Returns the text after the preferred fix of the first diagnostic, and the text that this diagnostic covers. */
export function preferredFix(text: string): { fixed: string; covered: string } {
  const { language, diagnostics } = stateOf(text);
  const range = diagnostics[0]?.range ?? ALL;
  const covered = text.split('\n')[range.start.line]?.slice(range.start.character, range.end.character) ?? '';
  const action = language.actions(URI, range).find(({ isPreferred }) => isPreferred === true);
  return { fixed: action === undefined ? 'no fix' : withEdits(text, action), covered };
}

const root = new URL('../../', import.meta.url).pathname;

/** Returns the inputs of all cases, valid or not. */
export function caseTexts(): RgdText[] {
  return ['test/cases', 'test/conformance'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true })
      .map((name) => `${folder}/${name}`)
      .filter((name) => name.endsWith('input.yaml') && !name.includes('budget-') && !name.includes('/budget'))
      .sort()
      .map((name) => ({ name, text: readFileSync(root + name, 'utf8') })),
  );
}

/** Texts in which mistakes are made, without those that take long. */
export const texts = (): RgdText[] => [...corpus(), ...caseTexts()].filter(({ text }) => text.length < 12_000);

const WORDS = [
  'true',
  '5',
  '"5"',
  'null',
  'text',
  '1.5',
  '[]',
  '{}',
  '"${schema.spec.other}"',
  '${schema.metadata.name',
];

/** Returns a text with one typing error of an author. */
export function withMistake(text: string, random: () => number): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  const replaced = (start: number, end: number, by: string): string => text.slice(0, start) + by + text.slice(end);
  const misspelt = (word: string): string => {
    const at = below(word.length);
    const letter = word[at] ?? '';
    const next = word[at + 1] ?? '';
    const how = below(5);
    if (how === 0) return word.slice(0, at) + word.slice(at + 1);
    if (how === 1) return word.slice(0, at) + letter + word.slice(at);
    if (how === 2) return word.slice(0, at) + next + letter + word.slice(at + 2);
    if (how === 3) return `${word.slice(0, at)}x${word.slice(at + 1)}`;
    return how === 4 && below(2) === 0 ? word.replace(/s$/, '') : `${word}s`;
  };
  const entries: {
    start: number;
    end: number;
    valueStart: number;
    valueEnd: number;
    scalar: boolean;
  }[] = [];
  for (const { root } of readTrees(text)) {
    walkTree(root, (node, _, entry) => {
      if (entry === undefined || !entry.complete) return;
      const { start, end } = entry.key;
      entries.push({
        start,
        end,
        valueStart: node.start,
        valueEnd: node.end,
        scalar: node.kind === 'scalar',
      });
    });
  }
  const names = [...text.matchAll(/(?<=\$\{[^}\n]*)\b[A-Za-z]\w{2,}\b/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const entry = entries[below(entries.length)];
  if (entry === undefined) return text;
  const how = below(9);
  const name = names[below(Math.max(names.length, 1))];
  if (how < 2) return replaced(entry.start, entry.end, misspelt(text.slice(entry.start, entry.end)));
  if (how < 4 && name !== undefined) return replaced(name.start, name.end, misspelt(text.slice(name.start, name.end)));
  const scalars = entries.filter(({ scalar, valueStart, valueEnd }) => scalar && valueEnd > valueStart);
  const scalar = scalars[below(Math.max(scalars.length, 1))] ?? entry;
  const value = text.slice(scalar.valueStart, scalar.valueEnd);
  if (how === 4) return replaced(scalar.valueStart, scalar.valueEnd, misspelt(value));
  if (how === 5) return replaced(scalar.valueStart, scalar.valueEnd, WORDS[below(WORDS.length)] ?? '');
  if (how === 6)
    return replaced(
      scalar.valueStart,
      scalar.valueEnd,
      /^["']/.test(value) ? value.slice(1, -1) : JSON.stringify(value),
    );
  const lineStart = text.lastIndexOf('\n', entry.start) + 1;
  const indent = text.slice(lineStart, entry.start);
  if (how === 7) {
    const word = misspelt(text.slice(entry.start, entry.end));
    return replaced(
      entry.start,
      entry.start,
      /^ *$/.test(indent) ? `${word}: ${WORDS[below(WORDS.length)]}\n${indent}` : '',
    );
  }
  const lineEnd = text.indexOf('\n', entry.end);
  return lineEnd < 0 ? text : replaced(lineStart, lineEnd + 1, '');
}
