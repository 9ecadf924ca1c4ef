import { type Count, table } from '../fidelity/page.ts';
import type { ClusterCase } from './cases.ts';
import type { Outcome } from './outcome.ts';

export interface Result {
  one: ClusterCase;
  outcome: Outcome;
}

/** The maximum number of named cases for one reason; of more, only the number is printed. */
const NAMED = 12;

/** Counts the results of the applied cases by source. */
export function countsOf(results: readonly Result[]): Count[] {
  return bySource(results.filter(({ one }) => one.leftOut === undefined)).map(([source, all]) => ({
    source,
    total: all.length,
    onPurpose: all.filter(({ outcome }) => outcome.kind === 'on purpose').length,
    open: all.filter(({ outcome }) => outcome.kind === 'open').length,
  }));
}

/** Returns the remarks of a page beside the counts: the dry runs, excluded cases with reasons, and open cases. */
export function remarksOn(results: readonly Result[]): string[] {
  return [...dryRunsOf(results), '', ...leftOutOf(results), '', ...openOf(results)];
}

function dryRunsOf(results: readonly Result[]): string[] {
  const head = ['dry runs', 'CRDs', 'objects', 'expected rejections', 'unexpected rejections'];
  const rows = bySource(results).map(([source, all]) => {
    const sum = (key: keyof Outcome['dry']): string =>
      all.reduce((total, { outcome }) => total + outcome.dry[key], 0).toLocaleString('en');
    return [source, sum('crds'), sum('objects'), sum('foreseen'), sum('unforeseen')];
  });
  return table([head, ...rows]);
}

function leftOutOf(results: readonly Result[]): string[] {
  const byReason = new Map<string, ClusterCase[]>();
  for (const { one } of results) {
    if (one.leftOut !== undefined) byReason.set(one.leftOut, [...(byReason.get(one.leftOut) ?? []), one]);
  }
  if (byReason.size === 0) return ['No case is omitted.'];
  const lines = [...byReason].map(([reason, cases]) => `- ${reason}: ${told(cases)}`);
  return ['Not applied; only the rendered objects had a dry run:', '', ...lines];
}

function openOf(results: readonly Result[]): string[] {
  const open = results.filter(({ outcome }) => outcome.kind === 'open').map(({ one }) => one);
  return [open.length === 0 ? 'No case is open.' : `Open: ${open.map(titleOf).join(', ')}.`];
}

const told = (cases: readonly ClusterCase[]): string =>
  cases.length > NAMED ? `${cases.length} cases` : cases.map(titleOf).join(', ');

/** Returns the name of a case without its folder, so that pages contain no paths of a machine. */
function titleOf({ name }: ClusterCase): string {
  const parts = name.split('/');
  return sourceOf(name) === OTHERS
    ? `one of the RGDs of others (\`${parts.at(-1)}\`)`
    : `\`${parts.slice(-2).join('/')}\``;
}

const OTHERS = 'RGDs of others';

function sourceOf(name: string): string {
  if (name.startsWith('examples/')) return 'examples';
  if (name.startsWith('test/function/')) return 'inputs of the function';
  return name.startsWith('test/') ? 'conformance cases' : OTHERS;
}

function bySource(results: readonly Result[]): [string, Result[]][] {
  const found = new Map<string, Result[]>();
  for (const result of results) {
    const source = sourceOf(result.one.name);
    found.set(source, [...(found.get(source) ?? []), result]);
  }
  return [...found];
}
