import type { CodeAction } from 'vscode-languageserver';
import type { Remedy, RemedyKind } from '../../../core/diagnostics/index.ts';
import { ownValue } from '../../../core/model/value.ts';
import { Place } from '../../place.ts';
import type { Range, SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type FixContext, fix, isSound, remediesOf } from './edits.ts';
import { type FixRow, LINT_FIXES, REMEDY_FIXES } from './table.ts';

export const placeOf = ({ range }: { range: Range }, file: SourceFile, workspace: Workspace): Place =>
  new Place(file, file.offsetAt(range.start), workspace);

/** A fix as the editor applies it. */
export interface OfferedFix {
  action: CodeAction;
  /** Whether it may fail for the values of an instance. */
  mayFail: boolean;
  /** Whether only the author knows that it is the intention. */
  isGuessed: boolean;
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
  const { code } = context.diagnostic;
  const ofLint = ownValue(LINT_FIXES, String(code));
  const offered = ofLint === undefined ? [] : offer(ofLint, undefined, context);
  return [...offered, ...remediesOf(context.diagnostic).flatMap((remedy) => fixesOfRemedy(remedy, context))];
}

function fixesOfRemedy<K extends RemedyKind>(remedy: Remedy<K>, context: FixContext): OfferedFix[] {
  return offer(REMEDY_FIXES[remedy.kind] as FixRow<Remedy<K>>, remedy, context);
}

function offer<Argument>(
  { title, named, fixes, isGuessed = false }: FixRow<Argument>,
  argument: Argument,
  context: FixContext,
): OfferedFix[] {
  return fixes(argument, context).map(({ edits, shown = named?.(argument) ?? '', mayFail = false }) => ({
    action: fix(
      // sentence: makes the title of a fix
      title.replace('$1', () => shown),
      context,
      edits,
    ),
    mayFail,
    isGuessed,
  }));
}
