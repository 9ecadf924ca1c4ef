import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import type { Path } from '../../core/model/value.ts';
import { compileExpression, type Scope } from './expression.ts';
import { isExpression, scan } from './scan.ts';
import type { CompiledExpression } from './template-field.ts';

/** Compiles a text that must be exactly one expression. */
export function compileStandalone(
  { text, path, what }: { text: string; path: Path; what: string },
  scope: Scope,
  report: (problem: Problem) => void,
): CompiledExpression | undefined {
  const scanned = scan(text);
  const [only] = scanned.ok ? scanned.parts : [];
  if (!scanned.ok || !scanned.standalone || only === undefined || !isExpression(only)) {
    const hint = text.includes('${') ? phrase`remove the text around it` : phrase`write ${asExpression(text.trim())}`;
    report({
      code: 'not-standalone',
      message: phrase`${what} must be exactly one expression without text around it`,
      path,
      hint,
    });
    return undefined;
  }
  return compileExpression({ source: only.source, path, offset: only.start }, scope, report);
}

/** Returns the text as one expression: its braces are those of the expression. */
function asExpression(text: string): string {
  const inner = /^(?:\{\{([\s\S]*)\}\}|\$?\(([\s\S]*)\)|\{([\s\S]*)\})$/.exec(text);
  return `\${${(inner?.[1] ?? inner?.[2] ?? inner?.[3] ?? text).trim()}}`;
}
