/**
 * Formats cells as a Markdown table; the first line is its head, the first column is left-aligned, figures are
 * right-aligned.
 */
export function markdownTable(lines) {
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  const text = (cells, fill) => `| ${cells.map((cell, column) => fill(cell, widths[column], column)).join(' | ')} |`;
  const padded = (cell, width, column) => (column === 0 ? cell.padEnd(width) : cell.padStart(width));
  const rule = (_, width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`);
  const [head, ...body] = lines;
  return [text(head, padded), text(head, rule), ...body.map((line) => text(line, padded))].join('\n');
}

/** Formats three significant digits. */
export function figureText(figure) {
  return figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3);
}
