import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours are variables of the page, so that one theme works for light and dark. */
const look = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', height: '100%', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--faint)', borderRight: '1px solid var(--line)' },
  // The place of the marks of problems, until they are loaded.
  '.cm-gutters:not(:has(.cm-gutter-lint))': { paddingRight: '18px' },
  '.cm-gutter-lint': { width: '18px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--active)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection) !important',
  },
  '.cm-tooltip, .cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--active)', borderColor: 'var(--line)', color: 'var(--ink)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selection) !important' },
  '.cm-lens': {
    color: 'var(--faint)',
    fontFamily: 'system-ui, sans-serif',
    fontSize: '12px',
    marginLeft: '2ch',
    cursor: 'pointer',
  },
  '.cm-lens:hover': { color: 'var(--accent)', textDecoration: 'underline' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', maxWidth: '60ch' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--added-soft)' },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--added) 28%, transparent)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--removed-soft)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in srgb, var(--removed) 28%, transparent)' },
  '.cm-collapsedLines': { background: 'var(--active)', color: 'var(--faint)' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯"' },
  '.cm-tpl': { backgroundColor: 'var(--template)' },
  '.cm-tpl-edge': { color: 'var(--edge)', fontWeight: 'bold' },
  '.cm-tpl-string': { color: 'var(--string)' },
  '.cm-tpl-number': { color: 'var(--number)' },
  '.cm-tpl-keyword': { color: 'var(--edge)' },
  '.cm-tpl-call': { color: 'var(--call)' },
  '.cm-tpl-name': { color: 'var(--name)' },
});

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: tags.comment, color: 'var(--faint)' },
  { tag: [tags.meta, tags.labelName, tags.typeName, tags.keyword], color: 'var(--edge)' },
]);

export const theme: Extension = [look, syntaxHighlighting(style)];
