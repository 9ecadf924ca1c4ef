import { readFileSync } from 'node:fs';
import { snippet } from '@codemirror/autocomplete';
import { EditorState, type Transaction } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import type { CompletionItem } from 'vscode-languageserver';
import { snippetForClient, templateOfSnippet } from '../../playground/editor/snippet.ts';
import { validate } from '../../src/api/index.ts';
import { parse } from '../../src/languages/cel/index.ts';
import { Language } from '../language-server/language.ts';

const URI = 'file:///package/all.yaml';

/** Returns what the language server offers at an offset of a file. */
function itemsAt(text: string, offset: number): CompletionItem[] {
  const language = new Language();
  language.workspace.open(URI, text, 1);
  while (language.checkNext());
  const lines = text.slice(0, offset).split('\n');
  return language.completions(URI, { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }, true);
}

/** Returns what CodeMirror inserts for a template, and the texts that it selects first. */
function inserted(template: string): { text: string; selected: string } {
  let state = EditorState.create({ doc: '', extensions: [EditorState.allowMultipleSelections.of(true)] });
  const dispatch = (transaction: Transaction): void => {
    state = transaction.state;
  };
  snippet(template)({ state, dispatch }, { label: '' }, 0, 0);
  const { from, to } = state.selection.main;
  return { text: state.doc.toString(), selected: state.sliceDoc(from, to) };
}

/** What the client of CodeMirror does with a snippet of the server, from its source (`lspToSnippet`). */
const clientTemplate = (text: string): string =>
  text.replace(/\\([$}\\])|\$(\d+)/g, (_, fixed, field) => fixed ?? `\${${field}}`);

describe('a snippet of the language server in the page', () => {
  // Each text is what VS Code inserts for the snippet, by the grammar of the protocol.
  it.each([
    ['name: \\${schema.metadata.name\\}', 'name: ${schema.metadata.name}', ''],
    ['name: ${1:web}', 'name: web', 'web'],
    ['${2:b}-${1:a}', 'b-a', 'a'],
    ['map($1)', 'map()', ''],
    ['map(${1:x}, $0)', 'map(x, )', 'x'],
    ['${1|one,two|}', 'one', 'one'],
    ['${1|a\\,b,two|}', 'a,b', 'a,b'],
    ['a: \\$5 and #{x\\}', 'a: $5 and #{x}', ''],
    ['a\\\\b \\\\\\$ {x\\}', 'a\\b \\$ {x}', ''],
    ['${1:a \\${x\\} b}', 'a ${x} b', 'a ${x} b'],
    ['${1:a${2:b}c}', 'abc', 'abc'],
    ['\\${1:no stop\\}', '${1:no stop}', ''],
    ['cost: $', 'cost: $', ''],
    ['${not closed', '${not closed', ''],
  ])('inserts %j as %j', (text, expected, selected) => {
    expect(inserted(templateOfSnippet(text))).toEqual({ text: expected, selected });
    expect(inserted(clientTemplate(snippetForClient(text)))).toEqual({ text: expected, selected });
  });

  it.each(['Resourc', '# A comment\nRes', '---\nR'])('is offered for a document that begins with %j', (text) => {
    expect(itemsAt(text, text.length).map(({ label }) => label)).toContain('ResourceGraphDefinition');
  });

  it('inserts each whole document without an error', () => {
    const items = itemsAt('', 0);
    expect(items.length).toBeGreaterThan(4);
    for (const { label, textEdit } of items) {
      const { text } = inserted(clientTemplate(snippetForClient(textEdit?.newText ?? '')));
      const { diagnostics } = validate({ objects: [{ file: 'all.yaml', text }] });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors, `${label}:\n${text}`).toEqual([]);
    }
  });

  it.each(['', '[1].', 'optional.of(1).'])(
    'inserts each function and macro after "%s" as CEL that parses',
    (before) => {
      const [head = '', tail = ''] = readFileSync('examples/pending/site/rgd.yaml', 'utf8').split(
        /(?<=\$\{)schema\.metadata\.name(?=\})/,
      );
      const items = itemsAt(`${head}${before}${tail}`, head.length + before.length);
      const snippets = items.filter(({ insertTextFormat }) => insertTextFormat === 2);
      expect(snippets.length).toBeGreaterThan(3);
      for (const { label, textEdit } of snippets) {
        const { text } = inserted(clientTemplate(snippetForClient(textEdit?.newText ?? '')));
        // An argument that is still to be written.
        const expression = `${before}${text}`.replace(/(?<=[(,] ?)(?=[),])/g, 'x');
        expect(() => parse(expression), `${label}: ${expression}`).not.toThrow();
      }
    },
  );
});
