import type { Problem } from '../../diagnostics/index.ts';
import type { Path } from '../../model/value.ts';
import { compileExpression, type Scope } from './expression.ts';
import { isExpression, scan } from './scan.ts';
import type { CompiledExpression } from './template-field.ts';

/** Text that must be nothing but one expression. */
export function compileStandalone(
  text: string,
  path: Path,
  what: string,
  scope: Scope,
  report: (problem: Problem) => void,
): CompiledExpression | undefined {
  const scanned = scan(text);
  const [only] = scanned.ok ? scanned.parts : [];
  if (!scanned.ok || !scanned.standalone || only === undefined || !isExpression(only)) {
    const hint = text.includes('${') ? 'remove what stands around it' : `write \${${text.trim()}}`;
    report({
      code: 'not-standalone',
      message: `${what} wants exactly one expression and nothing around it`,
      path,
      hint,
    });
    return undefined;
  }
  return compileExpression({ source: only.source, path, offset: only.start }, scope, report);
}
