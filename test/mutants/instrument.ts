import ts from '@typescript/typescript6';
import type { Mutant } from './mutators.ts';

/** The functions of the process that runs the tests; where there are none, nothing changes. */
const NO_HOOKS = 'globalThis.__mutants ?? { __mutant: () => false, __tick() {} }';

interface Insertion {
  at: number;
  text: string;
  /** Where two are at the same place: the outer one is first at a start, and last at an end. */
  rank: number;
}

/**
 * Returns the source with all of its mutants, by their numbers: each is behind a question to `__mutant`, so that one
 * process tries them all. Loops ask `__tick`, which ends those that a mutant makes endless. `hooks` is an expression
 * that yields both functions.
 */
export function instrument(file: string, text: string, mutants: ReadonlyMap<number, Mutant>, hooks = NO_HOOKS): string {
  const insertions: Insertion[] = [];
  const wrap = (start: number, end: number, before: string, after: string): void => {
    insertions.push({ at: start, text: before, rank: -(end - start) });
    insertions.push({ at: end, text: after, rank: -1e9 + (end - start) });
  };
  for (const [{ start, end, form }, group] of byPlace(mutants)) {
    if (form === 'statement') {
      const isOff = group.map(([id]) => `!__mutant(${id})`).join(' && ');
      wrap(start, end, `{ if (${isOff}) `, ' }');
    } else {
      const choices = group.map(([id, { replacement }]) => `__mutant(${id}) ? (${replacement}) : `).join('');
      wrap(start, end, `(${choices}(`, '))');
    }
  }
  for (const { start, end, isBlock } of loopsOf(file, text)) {
    if (isBlock) insertions.push({ at: start + 1, text: ' __tick();', rank: -1e12 });
    else {
      insertions.push({ at: start, text: '{ __tick(); ', rank: -(end - start) - 0.5 });
      insertions.push({ at: end, text: ' }', rank: -1e9 + (end - start) + 0.5 });
    }
  }
  insertions.sort((one, other) => one.at - other.at || one.rank - other.rank);
  const parts = [`const { __mutant, __tick } = ${hooks};`];
  let from = 0;
  for (const insertion of insertions) {
    parts.push(text.slice(from, insertion.at), insertion.text);
    from = insertion.at;
  }
  return parts.join('') + text.slice(from);
}

type Numbered = readonly [number, Mutant];

function byPlace(mutants: ReadonlyMap<number, Mutant>): readonly (readonly [Mutant, readonly Numbered[]])[] {
  const places = new Map<string, Numbered[]>();
  for (const entry of mutants) {
    const [, { start, end, form }] = entry;
    const key = `${start} ${end} ${form}`;
    const group = places.get(key) ?? [];
    group.push(entry);
    places.set(key, group);
  }
  return [...places.values()].flatMap((group) => (group[0] === undefined ? [] : [[group[0][1], group] as const]));
}

/** The body of a loop. */
interface Body {
  start: number;
  end: number;
  isBlock: boolean;
}

function loopsOf(file: string, text: string): readonly Body[] {
  const bodies: Body[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) {
      const { statement } = node;
      bodies.push({ start: statement.getStart(), end: statement.getEnd(), isBlock: ts.isBlock(statement) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  return bodies;
}
