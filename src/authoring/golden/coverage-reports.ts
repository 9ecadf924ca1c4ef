import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { byRgd, type Coverage, type CoverageItem, MEASURES, percent, totalsOf } from './coverage.ts';

/** Formats coverage as text: a line for each RGD, and what no test covers. */
export function coverageText(coverage: Coverage): string {
  const header = ['RGD', 'file', 'nodes', 'conditions', 'sizes', 'arms', 'all'];
  const row = (name: string, file: string, items: readonly CoverageItem[]): string[] => {
    const totals = totalsOf(items);
    const each = MEASURES.map((measure) => `${totals[measure].reached}/${totals[measure].all}`);
    return [name, file, ...each, percent(totals.all)];
  };
  const groups = byRgd(coverage);
  const rows = [...groups].map(([, items]) => row(items[0]?.rgd ?? '', items[0]?.file ?? '', items));
  const all = rows.length > 1 ? [row('all', '', coverage.items)] : [];
  const missed = coverage.items.filter(({ hits }) => hits === 0);
  const list = missed.map(
    ({ file, line, column, node, measure, what }) =>
      `  ${file}:${line}:${column}: node ${node}: ${measure === 'node' ? 'never rendered' : `${titles[measure]}${what}`}`,
  );
  const lines = [...tableLines([header, ...rows, ...all]), ...(list.length === 0 ? [] : ['', 'not reached:', ...list])];
  return visible(`${lines.map((line) => line.replaceAll('\n', '\\n')).join('\n')}\n`);
}

const titles = { condition: 'includeWhen is never ', size: 'a collection of ', arm: '' } as const;

function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths =
    rows[0]?.map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0)) ?? [];
  const cell = (text: string, column: number): string =>
    column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  '));
}

/** Formats coverage as one JSON object: every item, and the totals. */
export function coverageJson({ items, lines }: Coverage): string {
  const files = [...lines].map(([file, counts]) => [file, Object.fromEntries([...counts].sort(byLine))] as const);
  const listed = items.map(({ group: _, ...item }) => item);
  const coverage = { totals: totalsOf(items), items: listed, lines: Object.fromEntries(files) };
  return visible(`${JSON.stringify(coverage, null, 2)}\n`);
}

const byLine = ([a]: readonly [number, number], [b]: readonly [number, number]): number => a - b;

/**
 * Formats coverage as LCOV, as geninfo(1) of the LCOV project describes it: nodes as functions, the other items as
 * branches, and a line for each expression, on the lines of the RGD's own file.
 */
export function coverageLcov({ items, lines }: Coverage): string {
  const files = [...new Set([...items.map(({ file }) => file), ...lines.keys()])].sort();
  return files.map((file) => lcovOf(file, items, lines.get(file) ?? new Map())).join('');
}

function lcovOf(file: string, items: readonly CoverageItem[], lines: ReadonlyMap<number, number>): string {
  const own = items.filter((item) => item.file === file);
  const nodes = own.filter(({ measure }) => measure === 'node');
  const branches = own.filter(({ measure }) => measure !== 'node');
  const blocks = new Map<string, number>();
  for (const { group } of branches) if (!blocks.has(group)) blocks.set(group, blocks.size);
  const names = nodes.map((item) => `${item.rgd}.${item.node}`.replace(/[,\s]/g, '_'));
  const counts = new Map(lines);
  for (const { line, hits } of nodes) counts.set(line, Math.max(counts.get(line) ?? 0, hits));
  const all = [...counts].sort(byLine);
  const branch = (item: CoverageItem): string => {
    const block = blocks.get(item.group) ?? 0;
    const within = branches.filter(({ group }) => group === item.group).indexOf(item);
    const isRun = (counts.get(item.line) ?? 0) > 0 || item.hits > 0;
    return `BRDA:${item.line},${block},${within},${isRun ? item.hits : '-'}`;
  };
  return `${[
    'TN:',
    `SF:${visibleOnOneLine(file)}`,
    ...nodes.map(({ line }, index) => `FN:${line},${names[index]}`),
    ...nodes.map(({ hits }, index) => `FNDA:${hits},${names[index]}`),
    `FNF:${nodes.length}`,
    `FNH:${nodes.filter(({ hits }) => hits > 0).length}`,
    ...branches.map(branch),
    `BRF:${branches.length}`,
    `BRH:${branches.filter(({ hits }) => hits > 0).length}`,
    ...all.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${all.length}`,
    `LH:${all.filter(([, hits]) => hits > 0).length}`,
    'end_of_record',
  ].join('\n')}\n`;
}
