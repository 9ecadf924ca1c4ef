import type { Diagnostic } from '../../core/diagnostics/index.ts';

/** Sorts diagnostics by file and position, those without a file first. The sort is stable. */
export function inFileOrder<T extends Diagnostic>(diagnostics: readonly T[], order: readonly string[]): T[] {
  const files = new Map<string | undefined, number>([[undefined, -1], ...order.map((file, at) => [file, at] as const)]);
  const rank = ({ file }: T): number => files.get(file) ?? files.size;
  return [...diagnostics].sort(
    (a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}
