import { lintGutter, type Diagnostic as Mark, setDiagnostics } from '@codemirror/lint';
import { StateEffect, type Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../src/api/index.ts';
import { offsetOf } from './offset.ts';

/** Offers fixes at the cursor of a view. */
export type OnFix = (view: EditorView) => void;

/** Marks the diagnostics of a file in its view, also beside the numbers of its lines. */
export function markDiagnostics(view: EditorView, diagnostics: readonly Diagnostic[], onFix: OnFix | undefined): void {
  const { doc } = view.state;
  const marks = diagnostics.map((one) => markOf(one, doc, onFix));
  const transaction = setDiagnostics(view.state, marks);
  const gutter = view.dom.querySelector('.cm-gutter-lint') === null ? [StateEffect.appendConfig.of(lintGutter())] : [];
  view.dispatch(transaction, { effects: gutter });
}

function markOf(
  { severity, message, hint, code, line = 1, column = 1 }: Diagnostic,
  doc: Text,
  onFix: OnFix | undefined,
): Mark {
  const from = offsetOf(doc, line, column);
  const rest = doc.lineAt(from).text.slice(from - doc.lineAt(from).from);
  const length = /^[^\s,\]})]+/.exec(rest)?.[0].length ?? 0;
  return {
    from,
    to: from + length,
    severity,
    source: code,
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(onFix === undefined ? {} : { actions: [{ name: 'Fix (Ctrl+.)', apply: fixAt(onFix) }] }),
  };
}

const fixAt =
  (onFix: OnFix) =>
  (view: EditorView, from: number): void => {
    view.dispatch({ selection: { anchor: from } });
    view.focus();
    onFix(view);
  };
