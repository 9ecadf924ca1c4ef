import { addTo } from '../../core/model/group-by.ts';
import { equal, isMap, type Value } from '../../core/model/value.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { type Join, joinFields } from './answers.ts';
import type {
  Cells,
  Condition,
  Each,
  Field,
  Hole,
  Identity,
  Literal,
  Node,
  Pattern,
  Place,
  Rows,
  Term,
} from './model.ts';
import { formatPlace, lifted, membersOf, rowsAround, visitPatterns } from './model.ts';
import { shapeOf } from './shape.ts';
import { countMarks, gapOf, type Piece, samePieces, splitAt } from './texts.ts';

/** A value that a text may contain, by row. */
interface Token {
  readonly term: Term;
  readonly values: readonly (string | undefined)[];
  readonly wholeWords: boolean;
}

/** The patterns of all nodes, by their rows. */
interface Collected {
  readonly rows: Rows[];
  readonly holes: Map<Rows, Hole[]>;
  readonly literals: Literal[];
  readonly lists: Each[];
  readonly conditions: Condition[];
}

/** How many fields a value is compared with, and how many a text is searched for. */
const MOST_COMPARED = 1000;
const MOST_TOKENS = 100;

/** Decides what every value and every condition is written with: the fields of the instances. */
export class Resolver {
  readonly fields = new Map<Rows, Field[]>();
  readonly #identities: readonly Identity[];
  readonly #root: Rows;
  /** The number of texts that differ in the same part, by that part. */
  #middles = new Map<string, number>();

  readonly #keep: readonly string[];
  readonly #joins: readonly Join[];

  constructor(identities: readonly Identity[], root: Rows, keep: readonly string[], joins: readonly Join[]) {
    this.#identities = identities;
    this.#root = root;
    this.#keep = keep;
    this.#joins = joins;
  }

  resolve(nodes: readonly Node[]): void {
    const { rows, holes, literals, lists, conditions } = collect(nodes);
    for (const one of literals) this.#resolveLiteral(one);
    for (const one of rows) {
      const own = holes.get(one) ?? [];
      this.#countMiddles(own);
      for (const hole of own) this.#resolveName(hole);
      const open = own.filter(({ terms }) => terms === undefined);
      for (const hole of open.filter((each) => !isText(each))) this.#resolveValue(hole);
      const texts = open.filter(isText);
      const shortFirst = texts.map((hole) => ({ hole, length: averageLength(hole.cells) }));
      for (const { hole } of shortFirst.sort((a, b) => a.length - b.length)) this.#resolveText(hole);
    }
    // Inner lists first: what is written as it is has no fields of its own.
    const conditional = new Set(conditions.map((condition) => condition.rows));
    for (const list of lists.toReversed()) this.#resolveList(list, conditional.has(list.inner));
    this.fields.set(this.#root, joinFields(this.fieldsOf(this.#root), this.#joins));
    for (const node of nodes) markAlwaysRead(node, this.#root);
    for (const condition of conditions) this.#decide(condition);
    for (const field of [...this.fields.values()].flat()) if (!field.decides) setDefault(field);
  }

  fieldsOf(rows: Rows): Field[] {
    const own = this.fields.get(rows) ?? [];
    this.fields.set(rows, own);
    return own;
  }

  /** Returns the names of the instances for each row, and their namespaces. */
  #own(rows: Rows): { names: readonly string[]; namespaces: readonly string[] } {
    const names = this.#identities.map(({ name }) => name);
    const namespaces = this.#identities.map(({ namespace }) => namespace);
    return { names: lifted(rows, this.#root, names), namespaces: lifted(rows, this.#root, namespaces) };
  }

  /** Writes a text that is the name or the namespace of the instance, or contains one. */
  #resolveName(hole: Hole): void {
    // What one copy alone has is a field of its own.
    if (!isText(hole) || this.#identities.length === 1 || defined(hole.cells).length === 1) return;
    const { names, namespaces } = this.#own(hole.rows);
    const isNamespace = hole.place.steps.at(-1) === 'namespace';
    const exact = (values: readonly string[]): boolean =>
      hole.cells.every((cell, row) => cell === undefined || (cell === values[row] && cell !== ''));
    if (isNamespace && exact(namespaces)) hole.terms = [{ type: 'namespace' }];
    else if (exact(names)) hole.terms = [{ type: 'name' }];
    else if (exact(namespaces)) hole.terms = [{ type: 'namespace' }];
    else {
      for (const wholeWords of [true, false]) {
        const tokens = this.#ownTokens(hole.rows, wholeWords);
        const found = partsOf(hole.cells, tokens);
        if (found === undefined) continue;
        hole.terms = termsOf(found, tokens);
        return;
      }
    }
  }

  #ownTokens(rows: Rows, wholeWords: boolean): Token[] {
    if (this.#identities.length === 1) return [];
    const { names, namespaces } = this.#own(rows);
    const tokens: Token[] = [{ term: { type: 'name' }, values: names, wholeWords }];
    if (namespaces.every((namespace) => namespace !== ''))
      tokens.push({ term: { type: 'namespace' }, values: namespaces, wholeWords });
    // A short name is in many words.
    return wholeWords ? tokens : tokens.filter(({ values }) => values.every((value) => (value ?? '').length > 2));
  }

  /** Writes the name of the instance where all copies have the same one, or where there is one copy. */
  #resolveLiteral(literal: Literal): void {
    const { value, place, rows, only } = literal;
    if (typeof value !== 'string' || (rows !== this.#root && only === undefined)) return;
    const [{ name } = { name: '' }, ...others] =
      only === undefined ? this.#identities : this.#identities.slice(only, only + 1);
    if (name === '' || others.some((other) => other.name !== name) || !isNamePlace(place)) return;
    if (this.#keep.includes(formatPlace(place))) return;
    const tokens: Token[] = [{ term: { type: 'name' }, values: [name], wholeWords: true }];
    const { pieces, used } = split([value], tokens);
    if (used.size > 0) literal.terms = termsOf(pieces[0] ?? [], tokens);
  }

  #countMiddles(holes: readonly Hole[]): void {
    this.#middles = new Map();
    for (const hole of holes) {
      if (!isText(hole)) continue;
      const { names } = this.#own(hole.rows);
      const tokens: Token[] = [{ term: { type: 'name' }, values: names, wholeWords: true }];
      const gap = gapOf(defined(split(hole.cells, tokens).pieces));
      if (gap === undefined || gap.middles.includes('')) continue;
      const key = JSON.stringify(gap.middles);
      this.#middles.set(key, (this.#middles.get(key) ?? 0) + 1);
    }
  }

  #resolveValue(hole: Hole): void {
    const outer = this.#outerField(hole);
    hole.terms = [{ type: 'field', field: outer ?? this.#fieldFor(hole.rows, hole.cells, hole.place) }];
  }

  /** Returns a field of the rows around, if the values of items are those of their rows. */
  #outerField({ rows, cells }: Hole): Field | undefined {
    for (const around of rowsAround(rows).slice(1)) {
      for (const field of this.fieldsOf(around)) {
        const values = lifted(rows, around, field.cells);
        if (isEvident(values, cells) && cells.every((cell, row) => cell === undefined || equal(cell, values[row])))
          return field;
      }
    }
    return undefined;
  }

  #resolveText(hole: Hole): void {
    const exact = this.#outerField(hole) ?? this.#known(hole.rows, hole.cells, hole.place);
    if (exact !== undefined) {
      hole.terms = [{ type: 'field', field: this.#use(exact, hole.rows, hole.cells, hole.place) }];
      return;
    }
    const truths = booleansIn(hole.cells);
    if (truths !== undefined) {
      hole.terms = [{ type: 'field', field: this.#fieldFor(hole.rows, truths, hole.place), converts: 'string' }];
      return;
    }
    // One value alone does not show what it is made of.
    const isAlone = defined(hole.cells).length === 1;
    const ofFields = isAlone ? [] : this.#fieldTokens(hole);
    const tokens = isAlone ? [] : [...this.#ownTokens(hole.rows, true), ...ofFields];
    for (const some of [tokens, ofFields]) {
      const found = partsOf(hole.cells, some);
      if (found === undefined) continue;
      hole.terms = this.#noteUses(termsOf(found, some), { ...hole.place, isPart: true });
      return;
    }
    const { pieces, used } = split(hole.cells, tokens);
    const gap = this.#usableGap(hole, pieces, used);
    hole.terms = gap ?? [{ type: 'field', field: this.#fieldFor(hole.rows, hole.cells, hole.place) }];
  }

  /** Notes that a text has fields as its parts. */
  #noteUses(terms: readonly Term[], place: Place): readonly Term[] {
    for (const term of terms)
      if (term.type === 'field' && !term.field.uses.includes(place)) term.field.uses.push(place);
    return terms;
  }

  /** Returns the texts of fields that a text may contain. */
  #fieldTokens({ rows, cells }: Hole): Token[] {
    const around = rowsAround(rows);
    const fields = around.flatMap((one) =>
      this.fieldsOf(one)
        .slice(0, MOST_TOKENS)
        .map((field) => ({ field, rows: one })),
    );
    const tokens = fields.flatMap(({ field, rows: own }): (Token & { length: number })[] => {
      const values = lifted(rows, own, field.cells).map((value) => textOf(value));
      const isWhole = cells.every((cell, row) => cell === undefined || (values[row] ?? '').length > 1);
      if (!isWhole) return [];
      const isString = field.cells.every((value) => value === undefined || typeof value === 'string');
      const term: Term = isString ? { type: 'field', field } : { type: 'field', field, converts: 'string' };
      return [{ term, values, wholeWords: true, length: averageLength(values) }];
    });
    return tokens.sort((a, b) => b.length - a.length);
  }

  /** Returns the terms of texts that differ in one part, if that part is worth a field of its own. */
  #usableGap(
    hole: Hole,
    pieces: readonly (Piece[] | undefined)[],
    used: ReadonlyMap<number, Token>,
  ): readonly Term[] | undefined {
    const gap = gapOf(defined(pieces));
    if (gap === undefined || gap.middles.includes('') || gap.before.length + gap.after.length === 0) return undefined;
    const { rows, cells } = hole;
    const start = gap.before.at(-1);
    const isTag = hole.place.steps.at(-1) === 'image' && typeof start === 'string' && start.endsWith(':');
    const part: Place = { ...hole.place, isPart: true };
    const place: Place = isTag ? { ...part, hint: 'imageTag' } : part;
    const texts = [...gap.middles];
    const middles = cells.map((cell) => (cell === undefined ? undefined : texts.shift()));
    const isNumber = place.steps.at(-1) !== 'image' && gap.middles.every((text) => /^(0|[1-9]\d{0,9})$/.test(text));
    const values: Cells = isNumber ? middles.map((text) => (text === undefined ? undefined : BigInt(text))) : middles;
    const known = this.#known(rows, values, place);
    const isShared = (this.#middles.get(JSON.stringify(gap.middles)) ?? 0) > 1;
    const isOfItem = rows.outer !== undefined && used.size > 0;
    if (known === undefined && !isShared && !isOfItem && place.hint === undefined) return undefined;
    const field = known === undefined ? this.#fieldFor(rows, values, place) : this.#use(known, rows, values, place);
    const middle: Term = isNumber ? { type: 'field', field, converts: 'string' } : { type: 'field', field };
    const before = this.#noteUses(piecesToTerms(gap.before, used), part);
    const after = this.#noteUses(piecesToTerms(gap.after, used), part);
    return [...before, middle, ...after];
  }

  /** Returns the field of these rows that has these values. */
  #known(rows: Rows, cells: Cells, place: Place): Field | undefined {
    for (const [index, field] of this.fieldsOf(rows).entries()) {
      if (index >= MOST_COMPARED) return undefined;
      if (isCompatible(field, cells, place)) return field;
    }
    return undefined;
  }

  #use(field: Field, rows: Rows, cells: Cells, place: Place): Field {
    if (field.rows === rows) {
      for (const [row, cell] of cells.entries()) if (cell !== undefined) field.cells[row] = cell;
    }
    field.uses.push(place);
    return field;
  }

  #fieldFor(rows: Rows, cells: Cells, place: Place): Field {
    const known = this.#known(rows, cells, place);
    if (known !== undefined) return this.#use(known, rows, cells, place);
    const field = newField(rows, cells, place);
    this.fieldsOf(rows).push(field);
    return field;
  }

  /**
   * Decides how items are written: as they are, as texts, or with fields of their own. An item with a part that others
   * lack may need a second field, for the condition.
   */
  #resolveList(list: Each, hasCondition: boolean): void {
    const { rows, inner, place, cells, item } = list;
    const own = this.fieldsOf(inner);
    const shape = list.isBetween ? undefined : shapeOf(item, inner);
    const [single] = own;
    if (shape !== undefined) {
      const field = this.#fieldFor(rows, cells, place);
      field.shape ??= shape;
      list.field = field;
      // The items are written as they are, and decide on their own.
      this.fields.delete(inner);
      return;
    }
    if (!hasCondition && own.length === 1 && single !== undefined && isPlain(single)) {
      const items = plainItems(cells, inner, single);
      // A collection has no expression around its list.
      const head = place.steps.length === 0 ? undefined : this.#headOf(rows, items);
      if (head !== undefined) list.head = head;
      const rest = items.map((values) => (head !== undefined && Array.isArray(values) ? values.slice(1) : values));
      list.field = this.#fieldFor(rows, rest, place);
      single.isItem = true;
      return;
    }
    const known = this.#knownList(list);
    if (known !== undefined) {
      known.uses.push(place);
      list.field = known;
      return;
    }
    const field = newField(rows, cells, place);
    field.items = inner;
    this.fieldsOf(rows).push(field);
    list.field = field;
  }

  /** Returns the field that has the same items, with fields of the same keys. */
  #knownList({ rows, inner, cells }: Each): Field | undefined {
    const own = this.fieldsOf(inner);
    return this.fieldsOf(rows)
      .slice(0, MOST_COMPARED)
      .find(({ items, cells: others }) => {
        if (items === undefined || !isEvident(others, cells)) return false;
        if (!cells.every((cell, row) => equal(cell, others[row]))) return false;
        const known = this.fieldsOf(items);
        return known.length === own.length && own.every((field, at) => isSameOfItem(field, known[at]));
      });
  }

  /** Returns the field that has the first item of every list. */
  #headOf(rows: Rows, lists: Cells): Field | undefined {
    const firsts = lists.map((values) => (Array.isArray(values) ? values[0] : undefined));
    if (firsts.includes(undefined)) return undefined;
    return this.fieldsOf(rows)
      .slice(0, MOST_COMPARED)
      .find(
        ({ cells, items }) =>
          items === undefined &&
          isEvident(cells, firsts) &&
          firsts.every((first, row) => equal(first ?? null, cells[row])),
      );
  }

  #decide(condition: Condition): void {
    const { rows, present, part, place } = condition;
    const deciding = fieldsIn(part, rows).find((field) => isSetWhere(field, present) && !isOftenEmpty(field));
    if (deciding !== undefined) {
      deciding.decides = true;
      condition.decided = { field: deciding, how: 'has', negated: false };
      return;
    }
    const opposite = present.map((one) => (one === undefined ? undefined : !one));
    for (const field of this.fieldsOf(rows).filter(isBoolean)) {
      const negated = !isCompatible(field, present, place);
      if (negated && !(mayNegate(field, place) && isCompatible(field, opposite, place))) continue;
      condition.decided = { field, how: 'is', negated };
      this.#use(field, rows, negated ? opposite : present, place);
      return;
    }
    // A field of another node that happens to be absent there decides nothing.
    const isOfNode = ({ uses }: Field): boolean => uses.some(({ node }) => node === place.node);
    const instead = this.fieldsOf(rows).find(
      (field) => field.decides && isOfNode(field) && isSetWhere(field, opposite),
    );
    if (instead !== undefined) {
      condition.decided = { field: instead, how: 'has', negated: true };
      return;
    }
    const field = newField(rows, present, place);
    field.isSwitch = true;
    this.fieldsOf(rows).push(field);
    condition.decided = { field, how: 'is', negated: false };
  }
}

/**
 * Marks the fields of instances that a collection reads. kro reads what does not depend on an item once, before it makes
 * the objects, so an empty collection reads it too.
 */
function markAlwaysRead({ list, pattern }: Node, root: Rows): void {
  if (list === undefined) return;
  if (list.field !== undefined) named(list.field).isAlwaysRead = true;
  visitPatterns(pattern, (inner, condition) => {
    if (condition !== undefined || inner.type !== 'hole') return;
    for (const term of inner.terms ?? [])
      if (term.type === 'field' && term.field.rows === root) named(term.field).isAlwaysRead = true;
  });
}

function collect(nodes: readonly Node[]): Collected {
  const collected: Collected = { rows: [], holes: new Map(), literals: [], lists: [], conditions: [] };
  const { holes, literals, lists, conditions } = collected;
  for (const { condition, list, pattern } of nodes) {
    if (condition !== undefined) conditions.push(condition);
    visitPatterns(list ?? pattern, (part, inner) => {
      if (inner !== undefined) {
        conditions.push(inner);
        return;
      }
      if (part.type === 'hole') {
        addTo(holes, part.rows, part);
      } else if (part.type === 'literal') literals.push(part);
      else if (part.type === 'each') lists.push(part);
    });
  }
  const depth = (one: Rows): number => rowsAround(one).length;
  for (const one of holes.keys()) collected.rows.push(one);
  collected.rows.sort((a, b) => depth(a) - depth(b));
  conditions.sort((a, b) => depth(a.rows) - depth(b.rows));
  return collected;
}

const newField = (rows: Rows, cells: Cells, place: Place): Field => ({
  rows,
  cells: [...cells],
  uses: [place],
  name: '',
  decides: false,
  isSwitch: false,
});

const isText = ({ cells }: Hole): boolean => cells.every((cell) => cell === undefined || typeof cell === 'string');

/** Returns texts that are all `true` or `false` as what they say, if both are there. */
function booleansIn(cells: Cells): Cells | undefined {
  const texts = new Set(defined(cells));
  const isBoth = texts.size === 2 && texts.has('true') && texts.has('false');
  return isBoth ? cells.map((cell) => (cell === undefined ? undefined : cell === 'true')) : undefined;
}

const isBoolean = ({ cells }: Field): boolean => cells.every((cell) => cell === undefined || typeof cell === 'boolean');

const defined = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined);

function averageLength(cells: Cells): number {
  const texts = cells.filter((cell) => typeof cell === 'string');
  return texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
}

const textOf = (value: Value | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : undefined;
};

/** Replaces in the texts of all rows each value that all of them contain equally often. */
function split(cells: Cells, tokens: readonly Token[]): { pieces: (Piece[] | undefined)[]; used: Map<number, Token> } {
  let pieces: (Piece[] | undefined)[] = cells.map((cell) => (typeof cell === 'string' ? [cell] : undefined));
  const used = new Map<number, Token>();
  for (const [mark, token] of tokens.entries()) {
    const next = pieces.map((own, row) => own && splitAt(own, token.values[row] ?? '', mark, token.wholeWords));
    const counts = new Set(defined(next).map((own) => countMarks(own, mark)));
    if (counts.size !== 1 || counts.has(0)) continue;
    pieces = next;
    used.set(mark, token);
  }
  return { pieces, used };
}

/** Returns the parts of all texts, if they are the same with the values of each row. */
function partsOf(cells: Cells, tokens: readonly Token[]): readonly Piece[] | undefined {
  const { pieces, used } = split(cells, tokens);
  return used.size > 0 && isSame(pieces) ? defined(pieces)[0] : byExample(cells, tokens);
}

/** How many texts are tried as examples, and how long they may be. */
const MOST_EXAMPLES = 8;
const LONGEST_EXAMPLE = 10_000;

/**
 * Returns the parts of one of the texts, if those of all others are the same with their own values: a text may contain
 * a value by chance too, as the name of an app is in its host.
 */
function byExample(cells: Cells, tokens: readonly Token[]): Piece[] | undefined {
  const rows = cells.flatMap((cell, row) => (typeof cell === 'string' && cell.length <= LONGEST_EXAMPLE ? [row] : []));
  if (tokens.length === 0 || rows.length < defined(cells).length) return undefined;
  for (const row of rows.slice(0, MOST_EXAMPLES)) {
    let pieces: Piece[] = [String(cells[row])];
    for (const [mark, { values, wholeWords }] of tokens.entries()) {
      pieces = splitAt(pieces, values[row] ?? '', mark, wholeWords);
    }
    const hasValues = pieces.some((piece) => typeof piece === 'number');
    if (hasValues && rows.every((at) => textAt(pieces, tokens, at) === cells[at])) return pieces;
  }
  return undefined;
}

/** Returns the text of parts in a row; `undefined` without a value for one of them. */
function textAt(pieces: readonly Piece[], tokens: readonly Token[], row: number): string | undefined {
  let text = '';
  for (const piece of pieces) {
    const part = typeof piece === 'string' ? piece : tokens[piece]?.values[row];
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

function isSame(pieces: readonly (Piece[] | undefined)[]): boolean {
  const [first, ...others] = defined(pieces);
  return first !== undefined && others.every((other) => samePieces(first, other));
}

const termsOf = (pieces: readonly Piece[], tokens: readonly Token[]): Term[] =>
  piecesToTerms(pieces, new Map(tokens.entries()));

const piecesToTerms = (pieces: readonly Piece[], tokens: ReadonlyMap<number, Token>): Term[] =>
  pieces.flatMap((piece): Term[] => {
    if (typeof piece === 'string') return [{ type: 'text', text: piece }];
    const token = tokens.get(piece);
    return token === undefined ? [] : [token.term];
  });

/** Reports whether values vary together: those that both have are equal, and there are at least two different ones. */
function isEvident(known: Cells, cells: Cells): boolean {
  const both = cells.filter((cell, row) => cell !== undefined && known[row] !== undefined);
  return both.some((cell) => !equal(cell, both[0]));
}

function isCompatible(field: Field, cells: Cells, place: Place): boolean {
  if (field.items !== undefined) return false;
  let onlyKnown = false;
  let onlyNew = false;
  for (const [row, cell] of cells.entries()) {
    const known = field.cells[row];
    if (known !== undefined && cell !== undefined && !equal(known, cell)) return false;
    onlyKnown ||= known !== undefined && cell === undefined;
    onlyNew ||= known === undefined && cell !== undefined;
  }
  if (onlyKnown && onlyNew) return false;
  if (isEvident(field.cells, cells)) return true;
  // One copy, or one row with a value: only what has the same name is the same.
  const key = place.steps.at(-1);
  return !onlyKnown && !onlyNew && field.uses.some(({ steps }) => typeof key === 'string' && steps.at(-1) === key);
}

/**
 * Reports whether the opposite of a boolean may decide about a part: where a part of another node happens to be absent
 * decides nothing.
 */
const mayNegate = ({ isSwitch, uses }: Field, place: Place): boolean =>
  !isSwitch || uses.some(({ node, steps }) => node === place.node || (steps.length === 0 && place.steps.length === 0));

/** Reports whether a field is set in the rows where a part is present, and only there. */
function isSetWhere(field: Field, present: readonly (boolean | undefined)[]): boolean {
  if (field.isSwitch || field.isAlwaysRead) return false;
  return present.every((one, row) => one === undefined || (field.cells[row] !== undefined) === one);
}

/** Reports whether a list or a map is empty in several rows: an instance that sets nothing in it would only say it is there. */
const isOftenEmpty = ({ cells }: Field): boolean =>
  cells.filter((cell) => cell !== undefined && isEmpty(cell)).length > 1;

/** Returns the field that a person said it is, or itself. */
const named = (field: Field): Field => field.sameAs ?? field;

/** Returns the fields of some rows that a part reads. */
function fieldsIn(part: Pattern, rows: Rows): Field[] {
  const fields = new Set<Field>();
  const note = (field: Field): void => {
    if (field.rows === rows) fields.add(named(field));
  };
  visitPatterns(part, (inner, condition) => {
    if (condition !== undefined) return;
    const terms = inner.type === 'hole' ? (inner.terms ?? []) : [];
    for (const term of terms) if (term.type === 'field') note(term.field);
    if (inner.type === 'each' && inner.field !== undefined) note(inner.field);
  });
  return [...fields];
}

/** Reports whether two fields of items have the same key and the same values. */
function isSameOfItem(field: Field, other: Field | undefined): boolean {
  const key = directKey(field);
  if (other === undefined || key === undefined || directKey(other) !== key) return false;
  return field.items === undefined && other.items === undefined && equal(valuesOf(field), valuesOf(other));
}

const valuesOf = ({ cells }: Field): Value => cells.map((cell) => (cell === undefined ? [] : [cell]));

/** Returns the key of a field that is directly in an item. */
function directKey({ uses }: Field): string | undefined {
  const [place] = uses;
  const around = place?.steps.at(-2);
  const key = place?.steps.at(-1);
  return typeof around === 'object' && around.item === '' && typeof key === 'string' ? key : undefined;
}

/** Reports whether items with this only field may be texts or numbers. */
const isPlain = ({ cells, items }: Field): boolean =>
  items === undefined &&
  cells.every((cell) => cell !== undefined && cell !== null && !isMap(cell) && !Array.isArray(cell));

/** Returns the lists of the values of the only field of items. */
function plainItems(cells: Cells, inner: Rows, { cells: values }: Field): Cells {
  const members = membersOf(inner);
  return cells.map((cell, row) =>
    Array.isArray(cell) ? defined((members.get(row) ?? []).map((at) => values[at])) : undefined,
  );
}

/** Reports whether a text is a name, or what selects objects by it. */
function isNamePlace({ steps }: Place): boolean {
  const key = steps.at(-1);
  if (typeof key !== 'string') return false;
  const isLabel = steps.includes('labels') || steps.includes('matchLabels') || steps.includes('selector');
  return isLabel || /(^n|N)ame(space)?$/.test(key);
}

const LONGEST_DEFAULT = 100;

/** Sets the default of a field: the value that at least half of the rows have. */
function setDefault(field: Field): void {
  const values = field.cells.filter((cell) => cell !== undefined);
  const isPartial = values.length < field.cells.length;
  const best = mostFrequent(values);
  if (best === undefined) return;
  const isWanted = isFrequent(best, field, values) || (isPartial && needsValue(best.value, field));
  if (isWanted && isShort(best.value)) field.default = best.value;
  else if (isPartial || field.isSwitch || values.some(isEmpty)) field.default = emptyOf(best.value);
}

function isFrequent({ value, count }: CountedValue, field: Field, values: readonly Value[]): boolean {
  const isOfOneCopy = field.cells.length === 1 && (typeof value !== 'string' || isResource(field));
  return isOfOneCopy || (count > 1 && count * 2 >= values.length);
}

/** What some rows lack needs a value: an empty quantity is none, and no choice of an enum; zero replicas run nothing. */
function needsValue(value: Value, field: Field): boolean {
  const isCount = !field.isSwitch && typeof value !== 'string' && typeof value !== 'object';
  return isCount || isResource(field) || rejectsEmpty(field);
}

interface CountedValue {
  value: Value;
  count: number;
}

/** Returns the value that most rows have, the first one of several, with their number. */
function mostFrequent(values: readonly Value[]): CountedValue | undefined {
  const counts = new Map<string, CountedValue>();
  let best: CountedValue | undefined;
  for (const value of values) {
    const key = toJsonText(value);
    const known = counts.get(key) ?? { value, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  for (const one of counts.values()) if (best === undefined || one.count > best.count) best = one;
  return best;
}

const isResource = ({ uses }: Field): boolean => uses.some(({ steps }) => steps.includes('resources'));

/** Reports whether the schema of a field that it fills rejects an empty text or zero. */
const rejectsEmpty = ({ uses }: Field): boolean =>
  uses.some(({ schema }) => {
    if (schema?.enum !== undefined) return !schema.enum.some((choice) => choice === '');
    return (schema?.minimum ?? 0) > 0;
  });

const isEmpty = (value: Value): boolean =>
  (Array.isArray(value) && value.length === 0) || (isMap(value) && Object.keys(value).length === 0);

/** kro puts the text of a default between the quotes of a JSON string: one with a quote or a backslash has none. */
const UNSAFE_IN_DEFAULT = /["\\\p{Cc}]/u;

function isShort(value: Value): boolean {
  if (typeof value === 'string')
    return value.length <= LONGEST_DEFAULT && !UNSAFE_IN_DEFAULT.test(value) && !value.includes('${');
  return typeof value !== 'object' || isEmpty(value);
}

function emptyOf(value: Value): Value {
  if (Array.isArray(value)) return [];
  if (isMap(value)) return {};
  if (typeof value === 'string') return '';
  if (typeof value === 'boolean') return false;
  return typeof value === 'bigint' ? 0n : 0;
}
