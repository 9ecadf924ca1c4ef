import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { base, highlight } from './setup.ts';
import { templateHighlight } from './template-highlight.ts';

/** A small editor: history and highlighting, no gutters. `isYaml` is false for expressions and templates. */
export const smallEditor = (label: string, isYaml: boolean, own: Extension = []): Extension => [
  base(label),
  // Its keys come before those that move the cursor.
  own,
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  isYaml ? highlight('') : templateHighlight,
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
];

/** A read-only text. */
export const readOnly = (label: string, text: string): Extension => [
  base(label),
  EditorState.readOnly.of(true),
  lineNumbers(),
  foldGutter(),
  highlight(text),
  keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
];
