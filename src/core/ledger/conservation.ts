import { groupBy } from '../model/group-by.ts';
import { type Counted, type Evidence, entriesOf } from './evidence.ts';
import { type Entry, leftOut, type Tally, tallyOf, type UnitKind } from './outcome.ts';

/** The numbers of units of one kind by outcome. */
export interface Sum extends Tally {
  unit: UnitKind;
}

/** Units that are identified by their file alone. */
const BY_FILE: readonly UnitKind[] = ['file', 'change'];

/** Returns the numbers of units by kind and outcome. Units that have no entry were looked at. */
export function sumsOf(evidence: Evidence): Sum[] {
  const sums = [...groupBy(entriesOf(evidence), ({ unit }) => unit)].map(([unit, entries]): Sum => {
    return { unit, ...tallyOf(entries) };
  });
  addUnnamed(sums, 'rendered', evidence.rendered);
  addUnnamed(sums, 'policy', evidence.policies);
  return sums;
}

function addUnnamed(sums: Sum[], unit: UnitKind, { all, named }: Counted): void {
  const unnamed = all - named.length;
  if (unnamed <= 0) return;
  const known = sums.find((sum) => sum.unit === unit);
  if (known === undefined) {
    sums.push({ unit, all: unnamed, seen: unnamed, failed: 0, unseen: 0, irrelevant: 0 });
    return;
  }
  known.all += unnamed;
  known.seen += unnamed;
}

/** Returns what is wrong with the sums of an evidence: nothing may be counted twice, and nothing may be missing. */
export function faultsInSums(evidence: Evidence): string[] {
  const faults: string[] = [];
  for (const { unit, all, seen, failed, unseen, irrelevant } of sumsOf(evidence)) {
    const sum = seen + failed + unseen + irrelevant;
    if (sum !== all) faults.push(`${all} units of kind ${unit} have ${sum} outcomes`);
  }
  for (const { all, named } of [evidence.rendered, evidence.policies]) {
    if (named.length > all) faults.push(`${named.length} of ${all} counted units have entries`);
  }
  const byFile = entriesOf(evidence).filter(({ unit }) => BY_FILE.includes(unit));
  for (const same of groupBy(byFile, ({ unit, file }) => JSON.stringify([unit, file])).values()) {
    const [first] = same;
    if (same.length > 1 && first !== undefined) faults.push(`${same.length} outcomes of ${first.unit} ${first.title}`);
  }
  return faults;
}

/** Returns a line for each unit that has an entry, and one for the sum of each kind of units. */
export const traceOf = (evidence: Evidence): string[] => [...entriesOf(evidence).map(lineOf), ...sumLines(evidence)];

/** Returns a line for the sum of each kind of units, and one for each that nobody looked at or that the user leaves out. */
export function gapsOf(evidence: Evidence): string[] {
  const entries = entriesOf(evidence);
  const unseen = entries.filter(({ outcome }) => outcome.is === 'unseen');
  return [...sumLines(evidence), ...[...unseen, ...leftOut(entries)].map(lineOf)];
}

function sumLines(evidence: Evidence): string[] {
  return sumsOf(evidence).map(
    ({ unit, all, seen, failed, unseen, irrelevant }) =>
      `${unit}: ${all} = ${seen} seen + ${failed} failed + ${unseen} unseen + ${irrelevant} irrelevant`,
  );
}

function lineOf({ unit, title, file, outcome }: Entry): string {
  const by = outcome.is === 'checked' ? ` by ${outcome.by}` : '';
  const why = outcome.is === 'unseen' || outcome.is === 'irrelevant' ? ` (${outcome.why})` : '';
  const where = file === undefined || file === title ? '' : ` in ${file}`;
  return `${unit} ${title}${where}: ${outcome.is}${by}${why}`;
}
