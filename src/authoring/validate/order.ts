import type { Diagnostic } from '../../core/diagnostics/index.ts';

/** An expression that is not read explains other diagnostics of its file, and kro 0.10 rejects it. */
const isFirst = ({ code }: Diagnostic): number => Number(code === 'unclosed-expression');

/**
 * Sorts diagnostics by file and position, those without a file first, and unclosed expressions before the others of
 * their file. The sort is stable.
 */
export function inFileOrder<T extends Diagnostic>(diagnostics: readonly T[], order: readonly string[]): T[] {
  const files = new Map<string | undefined, number>([[undefined, -1], ...order.map((file, at) => [file, at] as const)]);
  const rank = ({ file }: T): number => files.get(file) ?? files.size;
  return [...diagnostics].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      isFirst(b) - isFirst(a) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
