import { loadAll } from 'js-yaml';
import type { CompletionItem } from 'vscode-languageserver';
import type { Position } from '../../../src/language-server/workspace/file.ts';
import { Language } from '../language.ts';

/**
 * A file, a text in it, what an author has typed instead (`‸` is the cursor), the wanted labels, and what the place is.
 */
export type PlaceRow = readonly [file: string, text: string, typed: string, wanted: RegExp, title: string];

export interface PlacePackage {
  files: Readonly<Record<string, string>>;
  places: readonly PlaceRow[];
}

/** What an author sees at a place. */
export interface Answer {
  /** The position of the first wanted item in the list of the editor, from 0; -1 if there is none. */
  rank: number;
  /** The first five labels of the list. */
  first: string[];
  /** The errors of the syntax of YAML after the wanted item was inserted. Others depend on what follows. */
  errors: string[];
}

const uriOf = (file: string): string => `file:///w/${file}`;

/** Opens the files of a package in an editor. */
export function openPackage({ files }: PlacePackage): Language {
  const language = new Language();
  const { workspace } = language;
  workspace.configure(
    { ...workspace.settings, options: { ...workspace.settings.options, experimental: ['graph'] } },
    [],
  );
  workspace.addRoot('file:///w');
  for (const [file, text] of Object.entries(files)) workspace.open(uriOf(file), text, 1);
  while (workspace.checkNext());
  return language;
}

function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function offsetAt(text: string, { line, character }: Position): number {
  const before = text.split('\n').slice(0, line);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + character;
}

interface Insertion {
  start: number;
  end: number;
  text: string;
}

function insertionOf(item: CompletionItem, text: string, cursor: number): Insertion {
  const { textEdit } = item;
  if (textEdit !== undefined && 'range' in textEdit) {
    const { start, end } = textEdit.range;
    return { start: offsetAt(text, start), end: offsetAt(text, end), text: textEdit.newText };
  }
  const word = /\w*$/.exec(text.slice(0, cursor))?.[0] ?? '';
  return { start: cursor - word.length, end: cursor, text: item.insertText ?? item.label };
}

/** Returns what an editor inserts for a snippet whose defaults the author accepts. */
const withoutStops = (snippet: string): string =>
  snippet
    .replaceAll(/\\([$}\\])/g, '\u0001$1')
    .replaceAll(/\$\{\d+:([^}]*)\}/g, '$1')
    .replaceAll(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replaceAll(/\$\{\d+\}|\$\d+/g, '')
    .replaceAll('\u0001', '');

/** Sorts and filters items as an editor does: by their sort text, and by what is typed in the range of their edit. */
function listOf(items: readonly CompletionItem[], text: string, cursor: number): CompletionItem[] {
  const sorted = [...items].sort((a, b) => {
    const left = a.sortText ?? a.label;
    const right = b.sortText ?? b.label;
    return left < right ? -1 : Number(left > right);
  });
  return sorted.filter((item) => {
    const typed = text.slice(insertionOf(item, text, cursor).start, cursor).toLowerCase();
    return (item.filterText ?? item.label).toLowerCase().includes(typed);
  });
}

/** Returns the errors of another reader of YAML. */
function errorsOf(text: string): string[] {
  try {
    loadAll(text);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** Types the text of a place, asks for completion, inserts the first wanted item, and restores the file. */
export function answerAt(language: Language, { files }: PlacePackage, place: PlaceRow): Answer {
  const [file, from, to, wanted] = place;
  const before = files[file] ?? '';
  if (!before.includes(from)) throw new Error(`${file} does not contain ${from}`);
  const uri = uriOf(file);
  const marked = before.replace(from, () => to);
  const cursor = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  language.workspace.open(uri, text, 2);
  const list = listOf(language.completions(uri, positionAt(text, cursor), true), text, cursor);
  const rank = list.findIndex(({ label }) => wanted.test(label));
  const item = list[rank];
  let errors: string[] = [];
  if (item !== undefined) {
    const { start, end, text: inserted } = insertionOf(item, text, cursor);
    const plain = item.insertTextFormat === 2 ? withoutStops(inserted) : inserted;
    errors = errorsOf(text.slice(0, start) + plain + text.slice(end));
  }
  language.workspace.open(uri, before, 3);
  return { rank, first: list.slice(0, 5).map(({ label }) => label), errors };
}
