import { type Collector, composeText, told, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { equal, isMap, listOf, mapOf, type Value } from '../../core/model/value.ts';
import { type Field, formatPlace, type Node, type Rows, visitPatterns } from './model.ts';

/** What a person decides: options of the command, or a file with the same answers. */
export interface Answers {
  /** New names of fields by the names that were chosen. */
  readonly rename: Readonly<Record<string, string>>;
  /** Fields of nodes that stay as they are written: `deployment.spec.replicas`. */
  readonly keep: readonly string[];
  /** Fields that are one field. */
  readonly same: readonly (readonly string[])[];
}

export const NO_ANSWERS: Answers = { rename: {}, keep: [], same: [] };

/** Reads the answers of a file: `rename` is a map, `keep` a list of fields, `same` a list of lists of names. */
export function readAnswers(value: Value | undefined, reports: Collector): Answers {
  const known = ['rename', 'keep', 'same'];
  const keys = Object.keys(mapOf(value));
  const unknown = keys.find((key) => !known.includes(key));
  if ((value !== undefined && value !== null && !isMap(value)) || unknown !== undefined) {
    const what = unknown === undefined ? composeText`no map` : composeText`the key ${trusted.argument(unknown)}`;
    const message = composeText`the answers have ${what}, and may have rename, keep and same`;
    reports.add(unplaced('extract-answer', message));
  }
  const { rename, keep, same } = mapOf(value);
  const texts = (list: Value | undefined): string[] => listOf(list).filter((item) => typeof item === 'string');
  const renamed = Object.entries(mapOf(rename)).flatMap(([from, to]) =>
    typeof to === 'string' ? [[from, to] as const] : [],
  );
  return { rename: Object.fromEntries(renamed), keep: texts(keep), same: listOf(same).map(texts) };
}

/** Two fields that a person says are one, by their places among the fields that were found. */
export interface Join {
  readonly target: number;
  readonly joined: number;
}

/** Returns the fields that are said to be one. */
export function joinsOf(fields: readonly Field[], same: Answers['same'], reports: Collector): readonly Join[] {
  const joins: Join[] = [];
  for (const [first = '', ...others] of same) {
    const target = fields.find(({ name }) => name === first);
    for (const name of others) {
      const field = fields.find((one) => one.name === name);
      if (target === undefined || field === undefined) {
        reports.add(unknownField(target === undefined ? first : name, fields));
      } else if (field.isSwitch || target.isSwitch) {
        const condition = field.isSwitch ? name : first;
        const message = told`${{ condition: trusted.argument(condition) }} only decides whether a part is there, so it is joined with no other field`;
        reports.add(unplaced('extract-answer', message, composeText`leave out --same for it`));
      } else if (haveDifferentValues(field, target)) {
        const message = told`${{ field: trusted.argument(first) }} and ${{ other: trusted.argument(name) }} have different values in a copy, so they are not one field`;
        reports.add(unplaced('extract-answer', message, composeText`leave out --same for them`));
      } else if (field !== target) {
        joins.push({ target: fields.indexOf(target), joined: fields.indexOf(field) });
      }
    }
  }
  return joins;
}

/** Reports whether two fields have different values in a copy in which both have one. */
function haveDifferentValues(field: Field, other: Field): boolean {
  return field.cells.some((cell, row) => {
    const otherCell = other.cells[row];
    return cell !== undefined && otherCell !== undefined && !equal(cell, otherCell);
  });
}

/** Returns the fields without those that are joined to another one, which gets their values and uses. */
export function joinFields(fields: readonly Field[], joins: readonly Join[]): Field[] {
  for (const { target, joined } of joins) {
    const into = fields[target];
    const field = fields[joined];
    if (into !== undefined && field !== undefined) joinInto(into, field);
  }
  return fields.filter(({ sameAs }) => sameAs === undefined);
}

/** Gives the values and the uses of a field to another one, which takes its place. */
function joinInto(named: Field, field: Field): void {
  const target = named.sameAs ?? named;
  if (field.sameAs !== undefined || field === target) return;
  for (const [row, cell] of field.cells.entries()) {
    if (cell !== undefined) target.cells[row] = cell;
  }
  for (const place of field.uses) target.uses.push(place);
  field.sameAs = target;
}

/** Gives fields the names that were asked for. */
export function renameFields(fields: readonly Field[], rename: Answers['rename'], reports: Collector): void {
  const taken = new Set(fields.map(({ name }) => name));
  const found = Object.entries(rename).map(([from, to]) => ({
    from,
    to,
    field: fields.find(({ name }) => name === from),
  }));
  for (const { from, to, field } of found) {
    if (field === undefined) {
      reports.add(unknownField(from, fields));
      continue;
    }
    if (!/^[a-z][A-Za-z0-9]*$/.test(to) || taken.has(to)) {
      const message = told`${{ field: trusted.argument(from) }} cannot be renamed to ${{ name: trusted.argument(to) }}: a field has another name, in lowerCamelCase`;
      reports.add(unplaced('extract-answer', message, composeText`choose a name that no field has`));
      continue;
    }
    taken.add(to);
    field.name = to;
  }
}

const unknownField = (name: string, fields: readonly Field[]) =>
  unplaced(
    'extract-answer',
    told`there is no field ${{ field: trusted.argument(name) }}`,
    composeText`the fields are ${trusted.definition(fields.map((field) => field.name).join(', '))}`,
  );

/** Reports the fields that were to stay as they are, and whose values differ between copies or are in none. */
export function checkKept(
  fields: ReadonlyMap<Rows, readonly Field[]>,
  nodes: readonly Node[],
  keep: readonly string[],
  reports: Collector,
): void {
  if (keep.length === 0) return;
  const known = new Set<string>();
  for (const { pattern: whole } of nodes) {
    visitPatterns(whole, (pattern) => {
      if (pattern.type === 'literal' || pattern.type === 'hole') known.add(formatPlace(pattern.place));
    });
  }
  const differing = new Set([...fields.values()].flat().flatMap(({ uses }) => uses.map(formatPlace)));
  for (const text of keep) {
    if (differing.has(text)) {
      const message = told`${{ field: trusted.argument(text) }} differs between the copies, so it cannot stay as it is`;
      reports.add(unplaced('extract-answer', message, composeText`make it equal in the copies, or leave out --keep`));
    } else if (!known.has(text)) {
      const message = told`${{ field: trusted.argument(text) }} is no value of a node, so nothing is kept`;
      const hint = composeText`the nodes are ${trusted.definition(nodes.map(({ id }) => id).join(', '))}; name a value as in deployment.spec.replicas`;
      reports.add(unplaced('extract-answer', message, hint));
    }
  }
}
