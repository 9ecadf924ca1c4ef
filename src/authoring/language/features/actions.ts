import type { CodeAction } from 'vscode-languageserver';
import type { LintCode } from '../../lint/index.ts';
import type { Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { type FixContext, fix } from './fixes/edits.ts';
import { extracted } from './fixes/extract.ts';
import { lintFixes } from './fixes/of-lints.ts';
import { meantName, missingField, quoted } from './fixes/of-names.ts';
import { isSound } from './fixes/sound.ts';

/** Returns the sound fixes of the diagnostics in a range, and the actions on the expression there. */
export function actionsAt(file: SourceFile, range: Range, workspace: Workspace): CodeAction[] {
  const found = diagnosticsOf(file, workspace).filter((one) => overlaps(one.range, range));
  const fixes = found.flatMap((one) => {
    const context = { one, file, workspace, start: file.offsetAt(one.range.start) };
    const sound = fixesOf(context).filter((fix) => isSound(fix, context));
    const [first, ...others] = sound;
    const preferred = first === undefined ? [] : [{ ...first, isPreferred: true }];
    return [...preferred, ...others, ...ignoring(context).filter((fix) => isSound(fix, context))];
  });
  const node = extracted(file, range, workspace);
  return node === undefined ? fixes : [...fixes, node];
}

const before = (a: Range['start'], b: Range['start']): boolean =>
  a.line < b.line || (a.line === b.line && a.character <= b.character);
const overlaps = (a: Range, b: Range): boolean => before(a.start, b.end) && before(b.start, a.end);

/** Returns possible fixes: suggestions, quotes, missing fields, and fixes of lints. */
function fixesOf(context: FixContext): CodeAction[] {
  const ofLint = lintFixes[context.one.code as LintCode];
  return [meantName(context), quoted(context), missingField(context), ofLint?.(context)].filter(
    (one): one is CodeAction => one !== undefined,
  );
}

/** Returns a comment above the line, for diagnostics that do not fail rendering. */
function ignoring(context: FixContext): CodeAction[] {
  const { one, file } = context;
  const code = String(one.code);
  const isError = one.severity === 1;
  if (isError && !code.startsWith('rendered-')) return [];
  const { line } = one.range.start;
  const indent = /^ */.exec(file.lines.lineText(line + 1))?.[0] ?? '';
  const at = { line, character: 0 };
  const newText = `${indent}# render-rgd: ignore ${code} REASON\n`;
  return [{ ...fix(`Ignore ${code} here`, context, [{ range: { start: at, end: at }, newText }]) }];
}
