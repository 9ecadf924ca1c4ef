import { addTo } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

/** One set of objects that may be written as an instance. */
export interface Copy {
  /** The last part of its path, or the namespace or the label by which a stream was cut. */
  readonly name: string;
  readonly objects: readonly InputObject[];
}

/** The name and the namespace of the instance that a copy becomes; the namespace is '' if its objects have several. */
export interface Identity {
  readonly name: string;
  readonly namespace: string;
  /** The part of names that the copy has of its own: often the name of the instance, unless copies share it. */
  readonly own: string;
}

/** What values are compared over: the copies, or the items of a list in all copies. */
export interface Rows {
  readonly size: number;
  /** For items: the rows of the list, and the row of the list that each item is in. */
  readonly outer?: { readonly rows: Rows; readonly of: readonly number[] };
  /** The expression before the name of a field: `schema.spec`, or the variable of the items. */
  prefix: string;
}

/** A value for each row; `undefined` if the row has none there. */
export type Cells = readonly (Value | undefined)[];

/** A step to a field: a key, or an item of a list, by its key if it has one. */
export type Step = string | { readonly item: string };

/** The field of a node that a value fills. */
export interface Place {
  readonly node: string;
  readonly steps: readonly Step[];
  readonly schema: Schema | undefined;
  /** Whether only one of several copies has the node. */
  readonly isOfOneCopy?: true;
  /** A better name than the last key has: a flag of a command line, a key of a text. */
  readonly hint?: string;
  /** Whether the value is a part of the text there. */
  readonly isPart?: true;
}

/** A part of a text or a value in an expression. */
export type Term =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'name' }
  | { readonly type: 'namespace' }
  | { readonly type: 'node'; readonly node: string }
  /** A field; `converts` is the function that makes its value a text or a number. */
  | { readonly type: 'field'; readonly field: Field; readonly converts?: 'string' | 'int' };

/**
 * Why a value that has parts is one field: its parts have several types; many of them are absent in some rows; its items
 * have no shape in common; most of its lines differ; more of its parts differ than anybody would set one by one.
 */
export type WholeReason = 'types' | 'optional-parts' | 'items' | 'lines' | 'size';

/** A value that differs between rows. `terms` are what it is written with, once that is decided. */
export interface Hole {
  readonly type: 'hole';
  readonly rows: Rows;
  readonly cells: Cells;
  readonly place: Place;
  /** Set if the value has parts that could not be generalised one by one. */
  readonly whole?: WholeReason;
  terms?: readonly Term[];
}

/** A value that is equal in all rows. `terms` is set for a text that is written with the name of the instance. */
export interface Literal {
  readonly type: 'literal';
  readonly rows: Rows;
  readonly value: Value;
  readonly place: Place;
  /** The copy, if only one of several has the value. */
  readonly only?: number;
  terms?: readonly Term[];
}

export interface MapEntry {
  /** The key; if `isOwn`, with a mark for the name of the instance. */
  readonly key: string;
  /** Set if the key contains the name of the instance: each copy has its own. */
  readonly isOwn?: true;
  readonly pattern: Pattern;
  /** Set if some rows lack the key. */
  readonly condition?: Condition;
}

/** A map; `rest` are the entries of a map of free keys that only some rows have. */
export interface MapPattern {
  readonly type: 'map';
  readonly place: Place;
  readonly entries: readonly MapEntry[];
  readonly rest?: Hole;
}

export interface ListItem {
  readonly pattern: Pattern;
  /** Set if some rows lack the item. */
  readonly condition?: Condition;
}

/** A list; `middle` are the items between the first and the last ones, in any number. */
export interface ListPattern {
  readonly type: 'list';
  readonly first: readonly ListItem[];
  readonly middle?: Hole | Each;
  readonly last: readonly ListItem[];
}

/** Items of one shape, in any number. */
export interface Each {
  readonly type: 'each';
  readonly rows: Rows;
  /** The rows of the items. */
  readonly inner: Rows;
  readonly item: Pattern;
  readonly place: Place;
  /** The items of each row, as they are. */
  readonly cells: Cells;
  /** Whether other items are before or after them: all of them have one type then, which that of a field is not. */
  readonly isBetween: boolean;
  /** The field with the items, once that is decided. */
  field?: Field;
  /** Another field, if it is the first item everywhere: the field of the list has the others. */
  head?: Field;
}

/** A text of several lines, each of them a pattern. */
export interface LinesPattern {
  readonly type: 'lines';
  readonly lines: readonly (Hole | Literal)[];
}

export type Pattern = Hole | Literal | MapPattern | ListPattern | Each | LinesPattern;

/** What decides whether a part is there. Rows that lack what is around it are `undefined`. */
export interface Condition {
  readonly rows: Rows;
  readonly present: readonly (boolean | undefined)[];
  readonly place: Place;
  /** The part that is there or not. */
  readonly part: Pattern;
  /** Once that is decided: a field that is set, or a boolean field; `negated` for the opposite. */
  decided?: { readonly field: Field; readonly how: 'has' | 'is'; readonly negated: boolean };
}

/** A field of the instances, or of items of a list of theirs. */
export interface Field {
  readonly rows: Rows;
  cells: (Value | undefined)[];
  readonly uses: Place[];
  name: string;
  /** Whether a condition asks if it is set: then it has no default. */
  decides: boolean;
  /** Whether a collection reads it, also where the collection has no objects: then it does not decide. */
  isAlwaysRead?: true;
  /** Set for a boolean field that only decides whether a part is there. */
  isSwitch: boolean;
  /** For a list of items with fields of their own: the rows of the items. */
  items?: Rows;
  /** For a list of items that are written as they are: the pattern of an item. */
  shape?: Pattern;
  /** The value of instances that leave the field out. */
  default?: Value;
  /** Whether it is the whole item of a list: the items are texts or numbers. */
  isItem?: true;
  /** What the kind says about the value that it fills. */
  description?: string;
  /** The field that a person said it is. */
  sameAs?: Field;
}

/** An object of the RGD: one in each copy, in some copies, or a collection. */
export interface Node {
  id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly rows: Rows;
  /** The objects as they were given. */
  readonly inputs: readonly (InputObject | undefined)[];
  readonly objects: readonly (KubeObject | undefined)[];
  /** The condition of an object that only some copies have; for a collection, its list. */
  condition?: Condition;
  list?: Each;
  pattern: MapPattern;
}

/** Returns the index of the copy that a row belongs to. */
export function copyOf(rows: Rows, row: number): number {
  let current = rows;
  let index = row;
  while (current.outer !== undefined) {
    index = current.outer.of[index] as number;
    current = current.outer.rows;
  }
  return index;
}

const members = new WeakMap<Rows, ReadonlyMap<number, readonly number[]>>();

/** Returns the rows of the items of each row of a list. */
export const membersOf = (rows: Rows): ReadonlyMap<number, readonly number[]> =>
  getOrCompute(members, rows, () => {
    const found = new Map<number, number[]>();
    for (const [at, row] of (rows.outer?.of ?? []).entries()) addTo(found, row, at);
    return found;
  });

/** Returns the values of outer rows for inner rows. */
export function lifted<T>(rows: Rows, from: Rows, values: readonly T[]): T[] {
  return Array.from({ length: rows.size }, (_, row) => {
    let current = rows;
    let index = row;
    while (current !== from && current.outer !== undefined) {
      index = current.outer.of[index] as number;
      current = current.outer.rows;
    }
    return values[index] as T;
  });
}

/** Returns these rows and those around them, the nearest first. */
export function rowsAround(rows: Rows): Rows[] {
  const around: Rows[] = [];
  for (let at: Rows | undefined = rows; at !== undefined; at = at.outer?.rows) around.push(at);
  return around;
}

/** Formats a place: `deployment.spec.template.spec.containers[web].image`. */
export function formatPlace({ node, steps }: Place): string {
  let text = node;
  for (const step of steps) {
    if (typeof step !== 'string') text += `[${step.item}]`;
    else text += /^[A-Za-z0-9_-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** Visits a pattern and all patterns in it, those of items included. */
export function visitPatterns(pattern: Pattern, visit: (pattern: Pattern, condition?: Condition) => void): void {
  visit(pattern);
  if (pattern.type === 'map') {
    for (const { pattern: inner, condition } of pattern.entries) {
      if (condition !== undefined) visit(inner, condition);
      visitPatterns(inner, visit);
    }
    if (pattern.rest !== undefined) visitPatterns(pattern.rest, visit);
  } else if (pattern.type === 'list') {
    for (const { pattern: inner, condition } of [...pattern.first, ...pattern.last]) {
      if (condition !== undefined) visit(inner, condition);
      visitPatterns(inner, visit);
    }
    if (pattern.middle !== undefined) visitPatterns(pattern.middle, visit);
  } else if (pattern.type === 'each') visitPatterns(pattern.item, visit);
  else if (pattern.type === 'lines') for (const line of pattern.lines) visit(line);
}

/** Counts the values of a pattern. */
export function sizeOf(pattern: Pattern): number {
  let size = 0;
  visitPatterns(pattern, (part, condition) => {
    if (condition === undefined && (part.type === 'hole' || part.type === 'literal')) size += 1;
  });
  return size;
}
