import type { SemanticTokens } from 'vscode-languageserver';
import { tokenize } from '../../languages/cel/index.ts';
import { type NameAt, namesIn } from '../cel/names.ts';
import { type Expression, hasText, modelOf } from '../expressions.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The numbers of the token types in data/language-server.json. */
const ROLES: Readonly<Record<NameAt['role'], number>> = { variable: 0, local: 4, field: 1, function: 2, method: 3 };

export function tokensOf(file: SourceFile, workspace: Workspace): SemanticTokens {
  const models = file.trees.flatMap((tree) => modelOf(file, tree, workspace) ?? []);
  const found = models.flatMap((model) => model.expressions.flatMap(coloredIn));
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const { start, end, type } of found.sort((a, b) => a.start - b.start)) {
    const at = file.positionAt(start);
    const to = file.positionAt(end);
    if (to.line !== at.line || end <= start) continue;
    data.push(at.line - line, at.line === line ? at.character - character : at.character, end - start, type, 0);
    ({ line, character } = at);
  }
  return { data };
}

function coloredIn(expression: Expression) {
  if (!hasText(expression)) return [];
  const inspected = expression.inspected();
  const names = inspected === undefined ? [] : namesIn(inspected);
  const roles = new Map(names.map(({ offset, role }) => [offset, ROLES[role]]));
  return tokenize(expression.source, { recovers: true }).flatMap(({ kind, text, offset }) => {
    const type = typeOf(kind, text, roles.get(offset));
    const start = expression.textOffset(offset);
    return type === undefined ? [] : [{ start, end: expression.textOffset(offset + text.length), type }];
  });
}

function typeOf(kind: string, text: string, role: number | undefined): number | undefined {
  if (kind === 'ident') return role ?? 0;
  if (kind === 'string' || kind === 'bytes') return 5;
  if (kind === 'int' || kind === 'uint' || kind === 'double') return 6;
  if (/^(?:true|false|null|in)$/.test(text)) return 7;
  return kind === 'op' && /^[<>=!&|?:+\-*/%]+$/.test(text) ? 8 : undefined;
}
