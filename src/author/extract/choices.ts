import { type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import type { Path } from '../../core/model/value.ts';
import { conditionText, fieldText } from './cel.ts';
import type { Condition, Field, ListPattern, MapPattern, Node, Pattern, Term } from './model.ts';

/** What decided how a field of an object is written. */
export interface Choice {
  /** The path in the object up to the value that was written as one. */
  readonly path: Path;
  /** How it is written: `it is written with the field image`. */
  readonly message: Message;
  /** Whether nothing was chosen: all copies have the value. */
  readonly isEqual: boolean;
}

/** Returns the choice that made a field of a node: the innermost one on its path. */
export function choiceAt({ pattern, condition, list }: Node, path: Path): Choice {
  let choice: Choice = { path: [], message: phrase`it is equal in all copies`, isEqual: true };
  if (condition !== undefined) choice = { path: [], message: byCondition(condition), isEqual: false };
  if (list?.field !== undefined) choice = { path: [], message: byItems(list.field), isEqual: false };
  let at: Pattern | undefined = pattern;
  for (const [depth, step] of path.entries()) {
    const found: Inner | undefined = innerAt(at, step);
    if (found === undefined) break;
    if (found.condition !== undefined) {
      choice = { path: path.slice(0, depth + 1), message: byCondition(found.condition), isEqual: false };
    }
    at = found.pattern;
  }
  const message = messageOf(at);
  return message === undefined ? choice : { path: choice.path, message, isEqual: false };
}

interface Inner {
  readonly pattern: Pattern;
  readonly condition?: Condition | undefined;
}

/** Returns the pattern of a key or an item; that of the field which has all items in the middle of a list. */
function innerAt(pattern: Pattern, step: string | number): Inner | undefined {
  if (pattern.type === 'map' && typeof step === 'string') return entryAt(pattern, step);
  if (pattern.type === 'list' && typeof step === 'number') return itemAt(pattern, step);
  return undefined;
}

function entryAt({ entries, rest }: MapPattern, key: string): Inner | undefined {
  const entry = entries.find((one) => one.key === key) ?? entries.find(({ isOwn }) => isOwn);
  if (entry !== undefined) return entry;
  return rest === undefined ? undefined : { pattern: rest };
}

function itemAt({ first, middle }: ListPattern, index: number): Inner | undefined {
  const item = first[index];
  if (item !== undefined) return item;
  return middle === undefined ? undefined : { pattern: middle };
}

/** Returns how a value is written; nothing for one that has parts. */
function messageOf(pattern: Pattern): Message | undefined {
  if (pattern.type === 'hole') return byTerms(pattern.terms ?? []);
  if (pattern.type === 'each') return pattern.field === undefined ? undefined : byItems(pattern.field);
  if (pattern.type === 'lines') return phrase`it is written line by line`;
  return pattern.type === 'literal' && pattern.terms !== undefined ? byTerms(pattern.terms) : undefined;
}

const byCondition = (condition: Condition): Message =>
  phrase`it is there if ${{ condition: shown(conditionText(condition)) }}`;

const byItems = (field: Field): Message => phrase`it is an item of ${{ field: shown(fieldText(field)) }}`;

function byTerms(terms: readonly Term[]): Message {
  const reads = terms.flatMap((term): string[] => {
    if (term.type === 'field') return [fieldText(term.field)];
    if (term.type === 'node') return [`${term.node}.metadata.name`];
    return term.type === 'text' ? [] : [`schema.metadata.${term.type}`];
  });
  return phrase`it is written with ${{ expression: shown(reads.join(', ')) }}`;
}
