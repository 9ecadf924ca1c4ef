import { addTo, groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { InputObject } from '../../core/model/object.ts';
import { ownValue, type Path } from '../../core/model/value.ts';
import type { Location } from '../../core/text/line-index.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import type { CompiledExpression, ExpressionDetails, OnExpression } from '../../kro/compile/index.ts';
import type { Definition } from '../../kro/definition/index.ts';
import { type Expansion, withNested } from '../../kro/expand/index.ts';
import { children, type Expr, Optional, type Program } from '../../languages/cel/index.ts';
import { createLocator, locationOf } from '../../yaml/locate/index.ts';

/** What tests may cover: a node, a side of a condition, a size of a collection, an arm of an expression. */
export type Measure = 'node' | 'condition' | 'size' | 'arm';
const MEASURES: readonly Measure[] = ['node', 'condition', 'size', 'arm'];

/** One item that tests cover or not. Lines and columns count from 1. */
export interface CoverageItem {
  measure: Measure;
  file: string;
  line: number;
  column: number;
  /** The name of the RGD, and the id of the node. */
  rgd: string;
  node: string;
  /** The displayed item: `true`, `many items`, `2nd arm of ?:`. */
  what: string;
  /** The group of the item: items of one group are the outcomes of one expression. */
  group: string;
  /** How often it was covered. */
  hits: number;
}

/** The coverage of tests. `lines` counts how often each expression ran, by file and line. */
export interface Coverage {
  items: readonly CoverageItem[];
  lines: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Collects over any number of renderings. An RGD that is read again counts as the same. */
export interface CoverageCollector {
  /** Registers every expression of a compilation, and counts its runs. */
  onExpression: OnExpression;
  /** Counts the results of the instances, and all RGDs without instances. */
  ran(expansion: Expansion | undefined): void;
  result(): Coverage;
  /** Returns what was covered of these RGDs, by their names, since the last call. */
  takeItems(rgds: Iterable<string>): readonly CoverageItem[];
}

export function createCollector(): CoverageCollector {
  const collected = new Collected();
  return {
    onExpression: (definition, expression, options) => collected.register(definition, expression, options),
    ran: (expansion) => collected.ran(expansion),
    result: () => collected.result(),
    takeItems: (rgds) => collected.takeItems(rgds),
  };
}

/** Counts one more run. */
type Count = () => void;

class Collected {
  readonly #items = new Map<string, CoverageItem>();
  readonly #byRgd = new Map<string, CoverageItem[]>();
  readonly #lines = new Map<string, Map<number, number>>();
  readonly #locator = createLocator();
  readonly #known = new WeakSet<Definition>();
  /** The expressions that count already: a cached compilation registers them again. */
  readonly #registered = new WeakSet<CompiledExpression>();

  register(definition: Definition, expression: CompiledExpression, { traced }: ExpressionDetails): Program | undefined {
    if (this.#registered.has(expression)) return undefined;
    this.#registered.add(expression);
    this.#declareNodes(definition);
    const part = expression.path[3];
    // A status is evaluated on demand, and readyWhen never.
    if (expression.path[1] !== 'resources' || part === 'readyWhen') return undefined;
    const node = definition.nodes[expression.path[2] as number]?.id ?? '';
    const place = { input: definition.input, rgd: definition.name, node, path: expression.path };
    const arms = declareArms(expression, place, (at, measure, what) => this.#declare(at, measure, what));
    const here = { ...place, offset: expression.offset };
    const ran = this.#countLine(here);
    const isCondition = part === 'includeWhen';
    const sides = isCondition
      ? [this.#declare(here, 'condition', 'true'), this.#declare(here, 'condition', 'false')]
      : [];
    const program = arms.size === 0 ? expression.program : traced((id, arm) => arms.get(`${id}:${arm}`)?.());
    return {
      run: (activation, budget) => {
        ran();
        const value = program.run(activation, budget);
        if (isCondition) sides[(value instanceof Optional ? value.value : value) === true ? 0 : 1]?.();
        return value;
      },
    };
  }

  ran(expansion: Expansion | undefined): void {
    for (const run of (expansion?.runs ?? []).flatMap(withNested)) {
      for (const node of run.graph.nodes) {
        if (run.states[node.index] !== 'done') continue;
        const place = placeOfNode(run.graph, node);
        const count = run.rendered[node.index]?.length ?? 0;
        if (node.kind !== 'collection' || count > 0) this.#declare(place, 'node', 'node')();
        if (node.kind === 'collection') this.#sizes(place)[Math.min(count, 2)]?.();
      }
    }
  }

  result(): Coverage {
    return { items: [...this.#items.values()].sort(byPlace), lines: this.#lines };
  }

  takeItems(rgds: Iterable<string>): CoverageItem[] {
    const taken: CoverageItem[] = [];
    for (const rgd of new Set(rgds)) {
      for (const item of this.#byRgd.get(rgd) ?? []) {
        taken.push({ ...item });
        item.hits = 0;
      }
    }
    return taken.sort(byPlace);
  }

  #declareNodes(definition: Definition): void {
    if (this.#known.has(definition)) return;
    this.#known.add(definition);
    for (const node of definition.nodes) {
      this.#declare(placeOfNode(definition, node), 'node', 'node');
      if (node.forEach.length > 0) this.#sizes(placeOfNode(definition, node));
    }
  }

  #declare(place: PlaceOfItem, measure: Measure, what: string): Count {
    const at = this.#locate(place);
    if (at === undefined) return () => {};
    const here = [measure, at.file, at.line, at.column, place.node].join(':');
    const group = place.group === undefined ? here : [measure, at.file, place.node, place.group].join(':');
    const { rgd, node } = place;
    const item = getOrCompute(this.#items, `${here}:${what}`, () => {
      const declared = { measure, ...at, rgd, node, what, group, hits: 0 };
      addTo(this.#byRgd, rgd, declared);
      return declared;
    });
    return () => {
      item.hits += 1;
    };
  }

  #sizes(place: PlaceOfItem): Count[] {
    return ['no item', 'one item', 'many items'].map((what) => this.#declare(place, 'size', what));
  }

  #countLine(place: PlaceOfItem): Count {
    const at = this.#locate(place);
    if (at === undefined) return () => {};
    const counts = getOrCompute(this.#lines, at.file, () => new Map<number, number>());
    counts.set(at.line, counts.get(at.line) ?? 0);
    return () => {
      counts.set(at.line, (counts.get(at.line) ?? 0) + 1);
    };
  }

  #locate(place: PlaceOfItem): Location | undefined {
    return locationOf(this.#locator, place.input.source, place.path, place.offset);
  }
}

interface PlaceOfItem {
  input: InputObject;
  rgd: string;
  node: string;
  path: Path;
  offset?: number;
  /** The group of the item, if it differs from its location. */
  group?: string;
}

/** Returns the location of a node: that of its id. */
const placeOfNode = (
  { input, name }: Pick<Definition, 'input' | 'name'>,
  { id, path }: { id: string; path: Path },
): PlaceOfItem => ({ input, rgd: name, node: id, path: [...path, 'id'] });

const NAMES: Readonly<Record<string, string>> = { '_?_:_': '?:', '_&&_': '&&', '_||_': '||' };

/** Registers every arm of an expression by the id of its node and its number. */
function declareArms(
  { parsed, offset }: CompiledExpression,
  place: PlaceOfItem,
  declare: (place: PlaceOfItem, measure: Measure, what: string) => Count,
): Map<string, Count> {
  const arms = new Map<string, Count>();
  const visit = (expr: Expr): void => {
    const name = expr.kind === 'call' ? ownValue(NAMES, expr.name) : undefined;
    // The first operand runs whenever the expression does.
    for (const [index, arm] of expr.kind === 'call' && name !== undefined ? expr.args.entries() : []) {
      if (index === 0) continue;
      const what = name === '?:' ? `${index === 1 ? 'then' : 'else'} of ?:` : `operand ${index + 1} of ${name}`;
      const group = `${place.path.join('.')}:${offset}:${expr.id}`;
      const at = { ...place, offset: offset + arm.start, group };
      arms.set(`${expr.id}:${index}`, declare(at, 'arm', what));
    }
    for (const child of children(expr)) visit(child);
  };
  visit(parsed.root);
  return arms;
}

const byPlace = (a: CoverageItem, b: CoverageItem): number =>
  (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column;

type Total = Readonly<Record<'reached' | 'all', number>>;

function totalsOf(items: readonly CoverageItem[]): Readonly<Record<Measure | 'all', Total>> {
  const of = (some: readonly CoverageItem[]): Total => {
    return { reached: some.filter(({ hits }) => hits > 0).length, all: some.length };
  };
  const each = MEASURES.map((measure) => [measure, of(items.filter((item) => item.measure === measure))]);
  return { ...Object.fromEntries(each), all: of(items) };
}

/** Returns the total coverage in percent, rounded down, so that 100% means all; 100 if there is nothing to cover. */
export function percentOf({ items }: Pick<Coverage, 'items'>): number {
  const { reached, all } = totalsOf(items).all;
  return all === 0 ? 100 : Math.floor((100 * reached) / all);
}

/** Formats coverage as text: a line for each RGD, and what no test covers. */
export function coverageText(coverage: Coverage): string {
  if (coverage.items.length === 0) return 'no test reads an RGD with nodes: there is nothing to cover\n';
  const header = ['RGD', 'file', 'nodes', 'conditions', 'sizes', 'arms', 'all'];
  const row = (name: string, file: string, items: readonly CoverageItem[]): string[] => {
    const totals = totalsOf(items);
    const each = MEASURES.map((measure) => `${totals[measure].reached}/${totals[measure].all}`);
    return [name, file, ...each, totals.all.all === 0 ? '-' : `${percentOf({ items })}%`];
  };
  const groups = groupBy(coverage.items, ({ file, rgd }) => `${file} ${rgd}`);
  const rows = [...groups.values()].map((items) => row(items[0]?.rgd ?? '', items[0]?.file ?? '', items));
  const all = rows.length > 1 ? [row('all', '', coverage.items)] : [];
  const missed = coverage.items.filter(({ hits }) => hits === 0);
  const list = missed.map(
    ({ file, line, column, node, measure, what }) =>
      `  ${file}:${line}:${column}: node ${node}: ${missedPhrase({ measure, what })}`,
  );
  const lines = [...tableLines([header, ...rows, ...all]), ...(list.length === 0 ? [] : ['', 'not reached:', ...list])];
  return visible(`${lines.map((line) => line.replaceAll('\n', '\\n')).join('\n')}\n`);
}

/** Returns the words for an item that nothing covered. */
export const missedPhrase = ({ measure, what }: Pick<CoverageItem, 'measure' | 'what'>): string =>
  measure === 'node' ? 'never rendered' : `${titles[measure]}${what}`;

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
