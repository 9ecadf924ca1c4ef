import type { SourceText } from './measures.mjs';

export function faultsIn(files: readonly SourceText[]): string[];
