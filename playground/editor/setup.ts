import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { templateHighlight } from './template-highlight.ts';
import { theme } from './theme.ts';

/** The nonce of the page's policy, with which editors add their style sheets. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

/** The minimum for a view before it has content: its first style sheet. */
export const bare: Extension = EditorView.cspNonce.of(nonce);

const base = (label: string): Extension => [
  bare,
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  theme,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

/** A full YAML editor. Escape and then Tab leaves it. */
export const yamlEditor = (label: string): Extension => [
  base(label),
  lineNumbers(),
  foldGutter(),
  codeFolding(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  highlightSelectionMatches(),
  lintGutter(),
  yaml(),
  templateHighlight,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
];

/** A small editor: history and highlighting, no gutters. `isYaml` is false for expressions and templates. */
export const smallEditor = (label: string, isYaml: boolean): Extension => [
  base(label),
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  isYaml ? yaml() : [],
  templateHighlight,
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
];

/** A read-only text. */
export const readOnly = (label: string): Extension => [
  base(label),
  EditorState.readOnly.of(true),
  lineNumbers(),
  foldGutter(),
  yaml(),
  keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
];
