import { readFileSync, writeFileSync } from 'node:fs';
import { versions } from '../cluster/control-plane/versions.ts';

/** The compared packages of one source, and the disagreements; the rest of `total` agreed. */
export interface Count {
  source: string;
  total: number;
  onPurpose: number;
  open: number;
}

const page = 'docs/fidelity.md';

/** Puts the counts of a run into its section of docs/fidelity.md. */
export function writeSection(section: string, counts: readonly Count[], more: readonly string[] = []): void {
  const rows = counts.map(({ source, total, onPurpose, open }) =>
    [source, total, total - onPurpose - open, onPurpose, open].map((cell) => cell.toLocaleString('en')),
  );
  replaceSection(section, [
    `kro ${versions.kro}, Kubernetes ${versions.kubernetes}:`,
    '',
    ...table([['source', 'compared', 'equal', 'different on purpose', 'open'], ...rows]),
    ...(more.length === 0 ? [] : ['', ...more]),
  ]);
}

/** Replaces the text between the marks of a section. */
export function replaceSection(section: string, lines: readonly string[]): void {
  const [start, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.indexOf(start), text.indexOf(end)];
  if (before < 0 || after < 0) throw new Error(`${page} has no section ${section}`);
  const body = ['', '', ...lines, '', ''].join('\n');
  writeFileSync(page, text.slice(0, before + start.length) + body + text.slice(after));
}

/** Returns a Markdown table with aligned columns; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}
