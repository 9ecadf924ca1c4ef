import type { CodeAction } from 'vscode-languageserver';
import { Place } from '../../place.ts';
import type { Range, SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type FixContext, fix, hintOf, isSound } from './edits.ts';
import { FIXES } from './table.ts';

export const placeOf = ({ range }: { range: Range }, file: SourceFile, workspace: Workspace): Place =>
  new Place(file, file.offsetAt(range.start), workspace);

/** A fix as the editor applies it, and whether it may fail for the values of an instance. */
export interface OfferedFix {
  action: CodeAction;
  mayFail: boolean;
}

/** Returns the fixes of a diagnostic, each edit once, whether they are sound or not. */
export function distinctFixes(context: FixContext): OfferedFix[] {
  const edits = new Set<string>();
  return fixesOf(context).filter(({ action }) => {
    const edit = JSON.stringify(action.edit);
    const isFirst = !edits.has(edit);
    edits.add(edit);
    return isFirst;
  });
}

export const soundFixes = (context: FixContext): OfferedFix[] =>
  distinctFixes(context).filter(({ action }) => isSound(action, context));

function fixesOf(context: FixContext): OfferedFix[] {
  const hint = hintOf(context.diagnostic);
  return FIXES.flatMap(([on, title, fixes]) => {
    const found = typeof on === 'string' ? (on === context.diagnostic.code ? [] : null) : on.exec(hint);
    return (found === null ? [] : fixes(found, context)).map(
      ({ edits, shown = found?.[1] ?? '', mayFail = false }) => ({
        action: fix(
          title.replace('$1', () => shown),
          context,
          edits,
        ),
        mayFail,
      }),
    );
  });
}
