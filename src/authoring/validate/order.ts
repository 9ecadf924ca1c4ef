import type { Diagnostic } from '../../core/diagnostics/index.ts';

/**
 * Diagnostics in the order of the files and from top to bottom, those of no file first. What is at one place keeps
 * its order.
 */
export function inFileOrder<T extends Diagnostic>(diagnostics: readonly T[], order: readonly string[]): T[] {
  const files = new Map<string | undefined, number>([[undefined, -1], ...order.map((file, at) => [file, at] as const)]);
  const rank = ({ file }: T): number => files.get(file) ?? files.size;
  return [...diagnostics].sort(
    (a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}
