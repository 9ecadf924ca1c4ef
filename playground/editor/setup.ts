import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { isDeep } from './depth.ts';
import { originLines } from './origins.ts';
import { templateHighlight } from './template-highlight.ts';
import { theme } from './theme.ts';

/** The nonce of the page's policy, with which editors add their style sheets. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

/** The minimum for a view before it has content: its first style sheet. */
export const bare: Extension = EditorView.cspNonce.of(nonce);

export const base = (label: string): Extension => [
  bare,
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  theme,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

const syntax = new Compartment();
const PLAIN: Extension = [];
const COLORED: Extension = [yaml(), templateHighlight];
const syntaxOf = (text: string): Extension => (isDeep(text) ? PLAIN : COLORED);

/** Colors YAML and templates, unless they are nested too deep. */
export const highlight = (text: string): Extension => [
  syntax.of(syntaxOf(text)),
  EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
    const wanted = docChanged ? syntaxOf(newDoc.toString()) : syntax.get(startState);
    return wanted === undefined || wanted === syntax.get(startState) ? null : { effects: syntax.reconfigure(wanted) };
  }),
];

/** A full YAML editor. Escape and then Tab leaves it. */
export const yamlEditor = (label: string, text: string): Extension => [
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
  originLines,
  highlight(text),
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
];
