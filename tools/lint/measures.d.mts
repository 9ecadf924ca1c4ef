export interface SourceText {
  path: string;
  text: string;
}

export interface FoundPlace {
  file: string;
  line: number;
  detail: string;
}

export const METRICS: Readonly<Record<string, string>>;

export function measure(files: readonly SourceText[]): {
  found: Readonly<Record<string, readonly FoundPlace[]>>;
  lines: number;
  codeLines: number;
  commentLines: number;
};
