import type { CodeAction } from 'vscode-languageserver';
import { plainReferenceIn } from '../../../../kro/definition/index.ts';
import { scalarTextOf } from '../../../../yaml/tree/index.ts';
import type { LintCode } from '../../../lint/index.ts';
import { entryAround, type FixContext, fix, removal, replace } from './edits.ts';
import { nullFallback, readFallback, sorted, unusedVariable } from './of-expressions.ts';

export type LintFix = (context: FixContext) => CodeAction | undefined;

/** The fix of each lint; `undefined` if only the author knows the intention (docs/editors.md gives the reasons). */
export const lintFixes: Readonly<Record<LintCode, LintFix | undefined>> = {
  'lint-unsorted-list': sorted,
  'lint-null-value': nullFallback,
  'lint-optional-read-unguarded': readFallback,
  'lint-unused-variable': unusedVariable,
  'lint-trailing-newline': withoutLineBreak,
  'lint-unread-field': (context) => removed('Remove the field', context),
  'lint-scaled-replicas': (context) => removed('Remove replicas', context),
  'lint-unread-input': (context) => removed('Remove the input', context),
  'lint-required-default': optional,
  'lint-plain-reference': asExpression,
  'lint-index-identity': undefined,
  'lint-never-included': undefined,
  'lint-contagious-skip': undefined,
  'lint-default-expression': undefined,
  'lint-typographic-quotes': undefined,
};

function removed(title: string, context: FixContext): CodeAction | undefined {
  const entry = entryAround(context.file, context.start);
  const edit = entry && removal(context.file, entry);
  return edit && fix(title, context, [edit]);
}

/** Replaces `|` with `|-`. */
function withoutLineBreak(context: FixContext): CodeAction | undefined {
  const { file, start } = context;
  const node = entryAround(file, start)?.value;
  if (node?.kind !== 'scalar' || (node.style !== 'literal' && node.style !== 'folded')) return undefined;
  const header = /^[|>][0-9+-]*/.exec(file.text.slice(node.start))?.[0] ?? '';
  const newText = `${header.replace(/[+-]/, '')}-`;
  return fix('End the text without a line break', context, [
    replace(file, node.start, node.start + header.length, newText),
  ]);
}

function optional(context: FixContext): CodeAction | undefined {
  const { file } = context;
  // The value of the marker is reported.
  const start = context.start - 'required='.length;
  const marker = /^required=true[ \t]*/.exec(file.text.slice(start))?.[0];
  if (marker === undefined) return undefined;
  const isLast = /^(?:['"]?[ \t]*(?:[\r\n#]|$))/.test(file.text.slice(start + marker.length));
  const before = isLast ? (/[ \t]*$/.exec(file.text.slice(0, start))?.[0] ?? '') : '';
  const end = start + (isLast ? marker.trimEnd().length : marker.length);
  return fix('Remove required=true', context, [replace(file, start - before.length, end, '')]);
}

/** Replaces `{schema.spec.name}` and `{{ .schema.spec.name }}` with `${schema.spec.name}`. */
function asExpression(context: FixContext): CodeAction | undefined {
  const { file, start } = context;
  const node = entryAround(file, start)?.value;
  if (node?.kind !== 'scalar') return undefined;
  const { value, offsets } = scalarTextOf(file.text, node);
  const found = plainReferenceIn(value);
  if (found === undefined) return undefined;
  const [from, to] = [offsets[found.offset], offsets[found.offset + found.written.length]];
  if (from === undefined || to === undefined) return undefined;
  return fix('Make it an expression', context, [replace(file, from, to, `\${${found.name}}`)]);
}
