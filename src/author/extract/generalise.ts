import { groupBy } from '../../core/model/group-by.ts';
import { equal, get, isMap, mapOf, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { itemKey, listKeys } from '../../kubernetes/items/index.ts';
import { memberSchema, type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import type {
  Cells,
  Condition,
  Each,
  Hole,
  Identity,
  LinesPattern,
  ListItem,
  ListPattern,
  Literal,
  MapEntry,
  MapPattern,
  Pattern,
  Place,
  Rows,
  Step,
  WholeReason,
} from './model.ts';
import { copyOf, formatPlace, sizeOf, visitPatterns } from './model.ts';
import { isNullAbsent } from './nulls.ts';
import { commonStart, OWN, withOwn } from './texts.ts';

/** A small map with more conditions than this is one field of the type object. */
const MOST_CONDITIONS = 2;
const SMALL = 20;
/** An item of a list with more values than this is left out by a condition, as a container is. */
const LARGE_ITEM = 8;

/** So many lists begin with the same variable at least, if it is an item of its own. */
const LEAST_LED = 3;

/** A list with more items is no sequence of different items, a text with more lines that differ is one field. */
const MOST_POSITIONS = 50;
/** A map with more keys that some lack, or with more values that differ, is one field. */
const MOST_PARTS = 100;

/** A map of texts, numbers and booleans without a schema that has more keys that some lack has free keys. */
const MOST_KEYS = 8;

/** Maps, and the values that they have at a key. */
interface FoundValues {
  cells: Cells;
  values: Cells;
}

/** Finds the least general pattern of values. */
export class Generaliser {
  /** The part of names that each copy has of its own. */
  readonly #names: readonly string[];
  readonly #keep: readonly string[];
  /** The numbers of the objects of the node that is generalised, as texts, by row. */
  #numbers: readonly ReadonlySet<string>[] = [];

  readonly #instances: readonly string[];

  /** @param keep the places that stay as they are */
  constructor(identities: readonly Identity[], keep: readonly string[]) {
    this.#names = identities.map(({ own }) => own);
    this.#instances = identities.map(({ name }) => name);
    this.#keep = keep;
  }

  /** Returns the pattern of the values of all rows, of which at least one has a value. */
  generalise(cells: Cells, place: Place, rows: Rows): Pattern {
    if (place.steps.length === 0) this.#numbers = cells.map(numbersIn);
    const present = cells.filter((cell) => cell !== undefined);
    if (present.every(isMap)) return this.#map(cells, place, rows);
    if (present.every((value) => Array.isArray(value))) return this.#list(cells, place, rows);
    if (present.every((value) => value === present[0])) return this.#equal(present[0] ?? null, cells, place, rows);
    if (present.every((value) => typeof value === 'string' && value.includes('\n')))
      return this.#lines(cells, place, rows);
    return hole(cells, place, rows);
  }

  /** Of one copy alone, the values that usually differ are fields; of a part that one copy has, those that are its own. */
  #equal(value: Value, cells: Cells, place: Place, rows: Rows): Pattern {
    const isOnly = onlyRow(cells) !== undefined;
    const isField = isOnly && rows.outer === undefined && isUsualField(place, rows.size > 1);
    if (isField && !this.#keep.includes(formatPlace(place))) return hole(cells, place, rows);
    const only = onlyCopy(cells, rows);
    return only === undefined ? literal(value, place, rows) : { ...literal(value, place, rows), only };
  }

  #map(cells: Cells, place: Place, rows: Rows): Pattern {
    const own = this.#ownKeys(cells, place, rows);
    const marked = own.size === 0 ? cells : cells.map((cell, row) => this.#withOwnKeys(cell, own, rows, row));
    const keys = new Set(marked.flatMap((cell) => (isMap(cell) ? Object.keys(cell) : [])));
    const entries: MapEntry[] = [];
    for (const key of keys) {
      const isOwn = own.has(key);
      const inner = isOwn ? stepIntoOwn(place, key) : stepInto(place, key);
      const values = marked.map((cell) => get(cell, key));
      const entry = this.#entry(key, isOwn, { cells, values: withoutSomeNulls(values, inner.schema) }, inner, rows);
      if (entry === undefined) continue;
      if (isMixed(entry.pattern) && place.steps.length > 0) return hole(cells, place, rows, 'types');
      entries.push(entry);
    }
    const optional = entries.filter(({ condition }) => condition !== undefined);
    const isFreeMap = isFree(place.schema, cells) || (optional.length > MOST_KEYS && hasFreeKeys(place.schema, cells));
    if (optional.length > 1 && isFreeMap) return withRest(marked, entries, place, rows);
    const hasMany = optional.length > MOST_PARTS || entries.filter(isDifferent).length > MOST_PARTS;
    if (hasMany && place.steps.length > 0) return hole(cells, place, rows, 'size');
    return withoutRaggedParts({ type: 'map', place, entries }, { cells, marked }, place, rows);
  }

  /** Returns the pattern of a key of the maps `cells`, which has `values`; undefined if no map has the key. */
  #entry(key: string, isOwn: boolean, found: FoundValues, place: Place, rows: Rows): MapEntry | undefined {
    const { cells, values } = found;
    if (values.every((value) => value === undefined)) return undefined;
    const isSome = isPartial(cells, values);
    const isHole = isSome && this.#isOwnMap(values, place, rows);
    const pattern = isHole ? hole(values, place, rows) : this.generalise(values, place, rows);
    if (isOwn) return { key, isOwn, pattern };
    const part = isSome ? withField(pattern, values) : pattern;
    const condition = conditionOf(cells, values, { rows, place, part });
    return condition === undefined ? { key, pattern } : { key, pattern: part, condition };
  }

  /**
   * Returns the keys that are equal in all rows after the name of the instance is marked in them, and not before: each
   * copy has a key with its own name. Only a map of free keys has such keys.
   */
  #ownKeys(cells: Cells, place: Place, rows: Rows): ReadonlySet<string> {
    const own = new Set<string>();
    const maps = [...cells.entries()].flatMap(([row, cell]) => (isMap(cell) ? [{ row, keys: Object.keys(cell) }] : []));
    const [first] = maps;
    if (first === undefined || maps.length < 2 || place.steps.length === 0) return own;
    if (place.schema?.properties !== undefined || maps.some(({ keys }) => keys.some((key) => key.includes(OWN))))
      return own;
    for (const key of first.keys) {
      const mark = this.#markedKey(key, rows, first.row);
      if (mark === key) continue;
      const same = maps.map(({ row, keys }) => keys.filter((other) => this.#markedKey(other, rows, row) === mark));
      const isOfAll = same.every((found) => found.length === 1);
      if (isOfAll && new Set(same.flat()).size > 1) own.add(mark);
    }
    return own;
  }

  #markedKey(key: string, rows: Rows, row: number): string {
    return withOwn(key, this.#instances[copyOf(rows, row)] ?? '');
  }

  /** Returns a map with a mark for the name of the instance in its own keys. */
  #withOwnKeys(cell: Value | undefined, own: ReadonlySet<string>, rows: Rows, row: number): Value | undefined {
    if (!isMap(cell)) return cell;
    const marked: ValueMap = {};
    for (const [key, value] of Object.entries(cell)) {
      const mark = this.#markedKey(key, rows, row);
      setKey(marked, own.has(mark) ? mark : key, value);
    }
    return marked;
  }

  /**
   * Reports whether an optional map is a field as a whole: its schema has free keys with texts, such as a node selector,
   * and its texts are those of a copy, unless they contain its name.
   */
  #isOwnMap(values: Cells, place: Place, rows: Rows): boolean {
    const { schema } = place;
    if (rows.outer !== undefined || schema === undefined || valueSchema(schema) === undefined) return false;
    if (!isFree(schema, values) || this.#isKept(place)) return false;
    const maps = values.flatMap((value) => (value === undefined ? [] : [mapOf(value)]));
    const [first = {}] = maps;
    const keys = Object.keys(first).length;
    const isShared = maps.length > 1 && keys > 1 && maps.every((map) => equal(map, first));
    if (isShared || maps.every((map) => Object.keys(map).length === 0)) return false;
    return values.every((value, row) => {
      const own = this.#names[copyOf(rows, row)] ?? '';
      return Object.values(mapOf(value ?? null)).every((text) => withOwn(String(text), own) === text);
    });
  }

  /** Reports whether a place, or one in it, stays as it is. */
  #isKept(place: Place): boolean {
    const text = formatPlace(place);
    return this.#keep.some((kept) => kept === text || kept.startsWith(`${text}.`) || kept.startsWith(`${text}[`));
  }

  #list(cells: Cells, place: Place, rows: Rows): Pattern {
    const lists = cells.filter((cell) => Array.isArray(cell));
    const names = listKeys(lists, place.schema);
    const words = cells.map((cell, row) =>
      Array.isArray(cell) ? this.#words(cell, names, place, rows, row) : undefined,
    );
    const present = words.filter((sequence) => sequence !== undefined);
    const [first = []] = present;
    const isEven = present.every((sequence) => sequence.length === first.length);
    const isAligned = isEven && present.every((sequence) => sequence.every((word, index) => word === first[index]));
    const isScalar = lists.every((list) => list.every((item) => typeof item !== 'object' || item === null));
    if (first.length > MOST_POSITIONS) {
      return lists.every((list) => equal(list, lists[0]))
        ? literal(lists[0] ?? [], place, rows)
        : this.#uneven(cells, words, place, rows, names !== undefined);
    }
    if (isAligned || (isEven && (names === undefined || first.length === 1) && !isScalar))
      return this.#items(cells, place, rows, first);
    if (isEven && isScalar) {
      const same = first.filter((_, index) => present.every((sequence) => sequence[index] === first[index])).length;
      if (first.length === 1 || same * 2 >= first.length) return this.#items(cells, place, rows, first);
    }
    return this.#uneven(cells, words, place, rows, names !== undefined);
  }

  /** Returns what the items of a list are recognized by: their keys, or their texts. */
  #words(
    list: readonly Value[],
    names: readonly string[] | undefined,
    place: Place,
    rows: Rows,
    row: number,
  ): readonly string[] {
    const own = this.#names[copyOf(rows, row)] ?? '';
    return list.map((item) => {
      if (names !== undefined) return withOwn(itemKey(item, names, place.schema), own);
      return typeof item === 'string' ? withOwn(item, own) : '';
    });
  }

  #items(cells: Cells, place: Place, rows: Rows, words: readonly string[]): Pattern {
    const first: ListItem[] = [];
    for (const [index] of words.entries()) {
      const values = cells.map((cell) => (Array.isArray(cell) ? cell[index] : undefined));
      const pattern = this.generalise(values, itemPlace(place, values), rows);
      if (isMixed(pattern)) return hole(cells, place, rows, 'types');
      first.push({ pattern });
    }
    return { type: 'list', first, last: [] };
  }

  /** Returns the pattern of lists with different items. */
  #uneven(
    cells: Cells,
    words: readonly (readonly string[] | undefined)[],
    place: Place,
    rows: Rows,
    isKeyed: boolean,
  ): Pattern {
    const lists = cells.flatMap((cell) => (Array.isArray(cell) ? [cell] : []));
    const items = lists.flat();
    const isScalar = items.every((item) => typeof item === 'string');
    if (!isScalar && !items.every(isMap)) return hole(cells, place, rows, 'items');
    if (isKeyed) {
      const optional = this.#optionalItems(cells, words, place, rows);
      if (optional !== undefined) return optional;
    }
    const present = words.filter((sequence) => sequence !== undefined);
    const hasEnds = (isKeyed || isScalar) && present.every((sequence) => sequence.length <= MOST_POSITIONS);
    const start = hasEnds ? sharedStart(present) : 0;
    const lead = isKeyed && start === 0 ? this.#lead(cells, words, rows) : undefined;
    if (lead !== undefined) return this.#led(cells, lead, place, rows);
    const end = hasEnds ? sharedEnd(present, start) : 0;
    const part = (from: number, to: (length: number) => number): Cells =>
      cells.map((cell) => (Array.isArray(cell) ? cell.slice(from, to(cell.length)) : undefined));
    const ends = (from: Cells): readonly ListItem[] => {
      const size = from.find((cell) => Array.isArray(cell)) as readonly Value[] | undefined;
      const pattern = this.#items(
        from,
        place,
        rows,
        Array.from({ length: size?.length ?? 0 }, () => ''),
      );
      return pattern.type === 'list' ? pattern.first : [];
    };
    const middle = part(start, (length) => length - end);
    const last = cells.map((cell) => (Array.isArray(cell) ? cell.slice(cell.length - end) : undefined));
    const pattern: ListPattern = {
      type: 'list',
      first: ends(part(0, () => start)),
      middle: isScalar ? hole(middle, place, rows) : this.#each(middle, place, rows, start + end > 0),
      last: ends(last),
    };
    const known = pattern.first.length + pattern.last.length;
    // An end that has no pattern is a part of the field.
    return known === start + end ? pattern : hole(cells, place, rows, 'items');
  }

  /**
   * Returns the rows whose list begins with an item that most lists have, if its value is a number of the object too: the
   * variable of a port. No other list has the item.
   */
  #lead(cells: Cells, words: readonly (readonly string[] | undefined)[], rows: Rows): ReadonlySet<number> | undefined {
    if (rows.outer !== undefined) return undefined;
    const firsts = [...words.entries()].flatMap(([row, own]) =>
      own?.[0] === undefined ? [] : [{ row, word: own[0] }],
    );
    const [led] = [...groupBy(firsts, ({ word }) => word).values()].sort((a, b) => b.length - a.length);
    if (led === undefined || led.length < LEAST_LED || led.length * 2 < words.length) return undefined;
    const own = new Set(led.map(({ row }) => row));
    const isElsewhere = ([row, others = []]: readonly [number, readonly string[] | undefined]): boolean =>
      others.slice(own.has(row) ? 1 : 0).includes(led[0]?.word ?? '');
    if ([...words.entries()].some(isElsewhere)) return undefined;
    const values = led.map(({ row }) => ({ row, value: get(itemAt(cells[row], 0), 'value') }));
    const isNumber = values.every(({ row, value }) => typeof value === 'string' && this.#numbers[row]?.has(value));
    return isNumber && new Set(values.map(({ value }) => value)).size > 1 ? own : undefined;
  }

  /** Returns the pattern of lists of which some rows have a first item of its own. */
  #led(cells: Cells, led: ReadonlySet<number>, place: Place, rows: Rows): ListPattern {
    const values = cells.map((cell, row) => (led.has(row) ? itemAt(cell, 0) : undefined));
    const inner = itemPlace(place, values);
    const pattern = this.generalise(values, inner, rows);
    const condition = conditionOf(cells, values, { rows, place: inner, part: pattern });
    const rest = cells.map((cell, row) => (Array.isArray(cell) ? cell.slice(led.has(row) ? 1 : 0) : undefined));
    const first: ListItem = condition === undefined ? { pattern } : { pattern, condition };
    return { type: 'list', first: [first], middle: this.#each(rest, place, rows, true), last: [] };
  }

  /** Returns the pattern of a list of which some large items are missing in some rows. */
  #optionalItems(
    cells: Cells,
    words: readonly (readonly string[] | undefined)[],
    place: Place,
    rows: Rows,
  ): ListPattern | undefined {
    const present = words.filter((sequence) => sequence !== undefined);
    if (present.some((sequence) => sequence.length > MOST_POSITIONS)) return undefined;
    const order = mergedOrder(present);
    if (order === undefined || order.length > MOST_POSITIONS) return undefined;
    const items: ListItem[] = [];
    let optional = 0;
    let size = 0;
    for (const word of order) {
      const values = cells.map((cell, row) => {
        const at = words[row]?.indexOf(word) ?? -1;
        return Array.isArray(cell) && at >= 0 ? cell[at] : undefined;
      });
      const inner = itemPlace(place, values);
      const pattern = this.generalise(values, inner, rows);
      if (isMixed(pattern)) return undefined;
      const part = isPartial(cells, values) ? withField(pattern, values) : pattern;
      const condition = conditionOf(cells, values, { rows, place: inner, part });
      if (condition !== undefined) {
        optional += 1;
        size = Math.max(size, sizeOf(pattern));
      }
      items.push(condition === undefined ? { pattern } : { pattern: part, condition });
    }
    const isFit = optional === 1 || size > LARGE_ITEM;
    return isFit ? { type: 'list', first: items, last: [] } : undefined;
  }

  /** Returns the pattern of any number of items; each item is a row of its own. */
  #each(cells: Cells, place: Place, rows: Rows, isBetween: boolean): Each | Hole {
    const of: number[] = [];
    const values: Value[] = [];
    for (const [row, cell] of cells.entries()) {
      if (!Array.isArray(cell)) continue;
      for (const item of cell) {
        of.push(row);
        values.push(item);
      }
    }
    const inner: Rows = { size: values.length, outer: { rows, of }, prefix: '' };
    const item = this.generalise(
      values,
      { ...place, schema: place.schema?.items, steps: [...place.steps, { item: '' }] },
      inner,
    );
    if (item.type !== 'map') return hole(cells, place, rows, 'items');
    return { type: 'each', rows, inner, item, place, cells, isBetween };
  }

  #lines(cells: Cells, place: Place, rows: Rows): Pattern {
    const lines = cells.map((cell) => (typeof cell === 'string' ? cell.split('\n') : undefined));
    const present = lines.filter((own) => own !== undefined);
    const length = present[0]?.length ?? 0;
    if (present.some((own) => own.length !== length)) return hole(cells, place, rows, 'lines');
    const patterns: (Hole | Literal)[] = [];
    for (let index = 0; index < length; index += 1) {
      const values = lines.map((own) => own?.[index]);
      const known = values.filter((value) => value !== undefined);
      const isEqual = known.every((value) => value === known[0]);
      patterns.push(isEqual ? literal(known[0] ?? '', place, rows) : hole(values, place, rows));
    }
    const differing = patterns.filter(({ type }) => type === 'hole').length;
    if (differing * 2 > length || differing > MOST_POSITIONS) return hole(cells, place, rows, 'lines');
    const pattern: LinesPattern = { type: 'lines', lines: patterns };
    return pattern;
  }
}

function hole(cells: Cells, place: Place, rows: Rows, whole?: WholeReason): Hole {
  const hint = hintOf(cells, place);
  const named = hint === undefined ? place : { ...place, hint };
  return whole === undefined
    ? { type: 'hole', rows, cells, place: named }
    : { type: 'hole', rows, cells, place: named, whole };
}

/** Returns the row that is the only one with a value. */
function onlyRow(cells: Cells): number | undefined {
  const first = cells.findIndex((cell) => cell !== undefined);
  const last = cells.findLastIndex((cell) => cell !== undefined);
  return first === last && first >= 0 ? first : undefined;
}

/** Returns the copy that is the only one with a value, also in several items. */
function onlyCopy(cells: Cells, rows: Rows): number | undefined {
  let only: number | undefined;
  for (const [row, cell] of cells.entries()) {
    if (cell === undefined) continue;
    const copy = copyOf(rows, row);
    if (only !== undefined && only !== copy) return undefined;
    only = copy;
  }
  return only;
}

const literal = (value: Value, place: Place, rows: Rows): Literal => ({ type: 'literal', rows, value, place });

/** The keys of hosts. */
const HOSTS: readonly string[] = ['host', 'hosts', 'hostname', 'hostnames', 'dnsNames', 'commonName'];

/**
 * Reports whether a place has a value that a person would make a field: an image, replicas, a host, resources. Of a part
 * that only one of several copies has, it is a host, or the image of a container beside others: the rest is not of a copy.
 */
function isUsualField({ steps, isOfOneCopy }: Place, isPart: boolean): boolean {
  const keys = steps.filter((step) => typeof step === 'string');
  const key = keys.at(-1) ?? '';
  const parent = keys.at(-2) ?? '';
  if (HOSTS.includes(key)) return true;
  if (key === 'image') return steps.length > 2 && typeof steps.at(-2) === 'object' && isOfOneCopy !== true;
  if (isPart) return false;
  if (parent === 'limits' || parent === 'requests') return steps.includes('resources');
  return key === 'replicas';
}

const stepInto = (place: Place, key: string): Place => ({
  ...partPlace(place),
  steps: [...place.steps, key],
  schema: memberSchema(place.schema, key),
});

/** Returns the place of a key with the name of the instance. */
const stepIntoOwn = (place: Place, key: string): Place => ({
  ...stepInto(place, key),
  steps: [...place.steps, { item: key.replaceAll(OWN, 'name') }],
});

function itemPlace(place: Place, values: Cells): Place {
  const names = new Set(
    values.flatMap((value) => (isMap(value) && typeof value.name === 'string' ? [value.name] : [])),
  );
  const [only = ''] = names.size === 1 ? names : [];
  return { ...partPlace(place), steps: [...place.steps, { item: only }], schema: place.schema?.items };
}

/** Returns what the place of a part has of the place around it. */
const partPlace = ({ node, isOfOneCopy }: Place): Pick<Place, 'node' | 'isOfOneCopy'> =>
  isOfOneCopy === true ? { node, isOfOneCopy } : { node };

/** Returns the word before the `=` or `:` that all texts have in common: `--port=`, `level: `; that of an image is its tag. */
function hintOf(cells: Cells, { steps }: Place): string | undefined {
  const texts = cells.filter((cell) => typeof cell === 'string');
  if (texts.length === 0 || texts.length !== cells.filter((cell) => cell !== undefined).length) return undefined;
  if (steps.at(-1) === 'image') return commonStart(texts).endsWith(':') ? 'imageTag' : undefined;
  return /(?:^|[\s;,{("'&?-])([A-Za-z][\w.-]*)["']?\s*[:=]\s*["']?$/.exec(commonStart(texts))?.[1];
}

/** Returns the condition of a part that some rows lack although they have what is around it. */
function conditionOf(around: Cells, values: Cells, of: Omit<Condition, 'present'>): Condition | undefined {
  const present = around.map((cell, row) => (cell === undefined ? undefined : values[row] !== undefined));
  return present.includes(false) ? { ...of, present } : undefined;
}

const isPartial = (around: Cells, values: Cells): boolean =>
  around.some((cell, row) => cell !== undefined && values[row] === undefined);

/** An optional part of so many values at most may have a field instead of a condition. */
const FEW = 3;

/**
 * Returns a part that only some rows have, with a field for its value if all of them have the same: the field decides
 * whether the part is there, and another instance may set another value.
 */
function withField(pattern: Pattern, values: Cells): Pattern {
  let hasField = false;
  visitPatterns(pattern, (inner, condition) => {
    hasField ||= condition !== undefined || inner.type === 'hole' || inner.type === 'each';
  });
  return hasField || sizeOf(pattern) > FEW ? pattern : withValue(pattern, values);
}

/** Returns the key of the value of a small map: its only one, `value`, or that of its number, such as a port. */
function valueKey({ entries }: MapPattern): string | undefined {
  if (entries.some(({ isOwn }) => isOwn)) return undefined;
  if (entries.length === 1 || entries.some(({ key }) => key === 'value')) {
    return entries.length === 1 ? entries[0]?.key : 'value';
  }
  const number = entries.find(({ pattern }) => pattern.type === 'literal' && typeof pattern.value === 'bigint');
  return number?.key;
}

/** Replaces the value of a small part: the part itself, the `value` of an item, its number, or the only value. */
function withValue(pattern: Pattern, values: Cells): Pattern {
  if (pattern.type === 'literal') {
    return pattern.value === null ? pattern : hole(values, pattern.place, pattern.rows);
  }
  if (pattern.type === 'map') {
    const key = valueKey(pattern);
    const entries = pattern.entries.map((entry): MapEntry => {
      if (entry.key !== key) return entry;
      const inner = withValue(
        entry.pattern,
        values.map((value) => get(value, entry.key)),
      );
      return { key: entry.key, pattern: inner };
    });
    return { ...pattern, entries };
  }
  const [first] = pattern.type === 'list' ? pattern.first : [];
  if (pattern.type !== 'list' || pattern.first.length !== 1 || first === undefined) return pattern;
  const items = values.map((value) => (Array.isArray(value) ? value[0] : undefined));
  return { type: 'list', first: [{ pattern: withValue(first.pattern, items) }], last: [] };
}

const itemAt = (list: Value | undefined, index: number): Value | undefined =>
  Array.isArray(list) ? list[index] : undefined;

/** Returns the integers in a value, as texts. */
function numbersIn(value: Value | undefined): ReadonlySet<string> {
  const numbers = new Set<string>();
  const visit = (inner: Value): void => {
    if (typeof inner === 'bigint') numbers.add(String(inner));
    else if (Array.isArray(inner)) for (const item of inner) visit(item);
    else if (isMap(inner)) for (const member of Object.values(inner)) visit(member);
  };
  if (value !== undefined) visit(value);
  return numbers;
}

const typeOf = (value: Value): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : typeof value;
};

/** Reports whether a pattern has values of several types, for which there is no field. */
function isMixed(pattern: Pattern): boolean {
  if (pattern.type !== 'hole') return false;
  return new Set(pattern.cells.flatMap((cell) => (cell === undefined ? [] : [typeOf(cell)]))).size > 1;
}

const isDifferent = ({ pattern }: MapEntry): boolean => pattern.type === 'hole';

/** Returns values without nulls where others have none, if an API server reads null as an absent field there. */
function withoutSomeNulls(values: Cells, schema: Schema | undefined): Cells {
  const isSome = values.includes(null) && values.some((value) => value !== null);
  return isSome && isNullAbsent(schema) ? values.map((value) => (value === null ? undefined : value)) : values;
}

/** Reports whether a map has free keys with texts, such as labels. */
function isFree(schema: Schema | undefined, cells: Cells): boolean {
  if (schema?.properties !== undefined) return false;
  const isText = cells.every(
    (cell) => cell === undefined || Object.values(mapOf(cell)).every((value) => typeof value === 'string'),
  );
  return isText && (schema === undefined || valueSchema(schema) !== undefined || schema.type === undefined);
}

/** Reports whether nothing is known about the keys of a map, and it has no maps and lists in it. */
function hasFreeKeys(schema: Schema | undefined, cells: Cells): boolean {
  if (schema?.properties !== undefined) return false;
  return cells.every(
    (cell) => cell === undefined || Object.values(mapOf(cell)).every((value) => !isMap(value) && !Array.isArray(value)),
  );
}

/** Returns the pattern of a map of free keys: the entries of all rows, and a field for the rest. */
function withRest(cells: Cells, entries: readonly MapEntry[], place: Place, rows: Rows): Pattern {
  const fixed = entries.filter(({ condition }) => condition === undefined);
  const known = new Set(fixed.map(({ key }) => key));
  const rest = cells.map((cell): ValueMap | undefined => {
    if (!isMap(cell)) return undefined;
    const own: ValueMap = {};
    for (const [key, value] of Object.entries(cell)) if (!known.has(key)) setKey(own, key, value);
    return own;
  });
  if (fixed.length === 0) return hole(cells, place, rows);
  return { type: 'map', place, entries: fixed, rest: hole(rest, place, rows) };
}

/**
 * Returns one field for a small map that has too many optional parts, or for the maps in it that have several. A
 * container, and what is around it, always keeps its parts: an image, a port and resources are what a person sets.
 */
function withoutRaggedParts(
  pattern: MapPattern,
  { cells, marked }: { readonly cells: Cells; readonly marked: Cells },
  place: Place,
  rows: Rows,
): Pattern {
  if (!isRagged(pattern, place)) return pattern;
  const isOfContainer = hasContainer(pattern);
  const most = isOfContainer ? MOST_CONDITIONS : MOST_CONDITIONS - 1;
  const entries = pattern.entries.map((entry): MapEntry => {
    const { key, condition } = entry;
    if (entry.isOwn) return entry;
    if (entry.pattern.type !== 'map' || conditionsIn(entry.pattern) <= most) return entry;
    if (isOfContainer && holdsContainer(entry.pattern)) return entry;
    const values = marked.map((cell) => get(cell, key));
    const part = hole(values, stepInto(place, key), rows, 'optional-parts');
    return condition === undefined ? { key, pattern: part } : { key, pattern: part, condition: { ...condition, part } };
  });
  const simpler: MapPattern = { type: 'map', place, entries };
  if (isOfContainer || !isRagged(simpler, place)) return simpler;
  return hole(cells, place, rows, 'optional-parts');
}

/** Reports whether a small map has so many optional parts that nobody would write them one by one. */
function isRagged(pattern: MapPattern, { steps }: Place): boolean {
  if (steps.length < 2 || steps[0] === 'metadata') return false;
  return conditionsIn(pattern) > MOST_CONDITIONS && sizeOf(pattern) <= SMALL;
}

function conditionsIn(pattern: Pattern): number {
  let conditions = 0;
  visitPatterns(pattern, (_, condition) => {
    if (condition !== undefined) conditions += 1;
  });
  return conditions;
}

/** Reports whether a pattern is a container or a part of one, or has one. */
const hasContainer = (pattern: Pattern): boolean => hasContainerFrom(pattern, 0);

/** Reports whether a container is in a map. */
const holdsContainer = (pattern: MapPattern): boolean => hasContainerFrom(pattern, pattern.place.steps.length);

/** Reports whether a value of a pattern is in a container, whose list is at this step or after it. */
function hasContainerFrom(pattern: Pattern, start: number): boolean {
  let found = false;
  visitPatterns(pattern, (part) => {
    if (part.type !== 'hole' && part.type !== 'literal') return;
    const steps = part.place.steps.slice(start);
    found ||= steps.some((step, at) => isContainerList(step) && typeof steps[at + 1] === 'object');
  });
  return found;
}

const isContainerList = (step: Step | undefined): boolean => step === 'containers' || step === 'initContainers';

function sharedStart(sequences: readonly (readonly string[])[]): number {
  const [first = []] = sequences;
  let length = 0;
  while (length < first.length && sequences.every((own) => own[length] === first[length])) length += 1;
  return length;
}

function sharedEnd(sequences: readonly (readonly string[])[], start: number): number {
  const [first = []] = sequences;
  const last = (own: readonly string[], length: number): string | undefined => own[own.length - 1 - length];
  let length = 0;
  while (sequences.every((own) => own.length - length > start && last(own, length) === last(first, length)))
    length += 1;
  return length;
}

/** Returns all words in an order in which each sequence has its own; `undefined` if there is none. */
function mergedOrder(sequences: readonly (readonly string[])[]): readonly string[] | undefined {
  let order: readonly string[] | undefined = [];
  for (const sequence of sequences) {
    order = orderWith(sequence, order);
    if (order === undefined) return undefined;
  }
  return order;
}

/** Returns an order with the words of a sequence in it; `undefined` if the sequence has two of them the other way round. */
function orderWith(sequence: readonly string[], order: readonly string[]): string[] | undefined {
  const merged: string[] = [];
  let at = 0;
  for (const word of sequence) {
    const known = order.indexOf(word);
    if (known >= 0 && known < at) return undefined;
    if (known >= 0) {
      for (const passed of order.slice(at, known)) merged.push(passed);
      at = known + 1;
    }
    merged.push(word);
  }
  return [...merged, ...order.slice(at)];
}
