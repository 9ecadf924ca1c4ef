import type { Limits } from '../../core/model/limits.ts';
import { apiVersionOf, type InputObject, type KubeObject, type Source } from '../../core/model/object.ts';
import { equal, getAt, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import { createBudget } from '../../languages/cel/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { type Field, fieldsOf, ValueBuilder, withoutValue, withValue } from './fields.ts';
import { type Literals, literalsOf } from './literals.ts';
import { FORMS, valuesOf } from './values.ts';

interface GenerateOptions extends Limits {
  /** The maximum number of instances. */
  most: number;
  /** Whether values are tried that are far from what an author expects. */
  triesExtremes: boolean;
  /** Counts the faults of an instance: the first ones are corrected until they have as few as possible. Default: none. */
  faultsOf?: (instance: InputObject) => number;
}

interface Generated {
  instances: readonly InputObject[];
  /** An instance with a usual value in every field; undefined if the schema rejects it. */
  usual: InputObject | undefined;
  /** Whether there are more instances than the maximum, or more fields than are looked at. */
  isCut: boolean;
}

/** The file of generated instances, which have no other one. */
const GENERATED = '(generated)';

export const isGeneratedSource = ({ file }: Source): boolean => file === GENERATED;
export const isGenerated = ({ source }: InputObject): boolean => source !== undefined && isGeneratedSource(source);

/** The name and the namespace of an instance whose name does not matter. */
export const NAME = 'example';
export const NAMESPACE = 'default';

/**
 * Generates instances that the first RGD accepts, from its schema and from what the expressions of all versions read.
 * The same RGDs have the same instances. Each has its own namespace, and its own name unless the name is what it tries, so
 * that they can be rendered together.
 */
export function generateInstances(graphs: readonly [Graph, ...Graph[]], options: GenerateOptions): Generated {
  return new Generator(graphs, options).run();
}

/** The start of the sequence of random combinations, the multiplier and the modulus (Park and Miller). */
const SEED = 20_260_101;
const MULTIPLIER = 48_271;
const MODULUS = 2_147_483_647;

/** How many values of each field are combined, and of how many fields. */
const MOST_COMBINED = 3;
const MOST_TOGETHER = 4;
/** The length of a text that is too long for a name of any kind. */
const LONG_TEXT = 64;
/** How often a first instance is corrected. */
const MOST_REPAIRS = 60;

class Generator {
  readonly #graph: Graph;
  readonly #spec: Schema;
  readonly #literals: Literals;
  readonly #fields: readonly Field[];
  readonly #values: ReadonlyMap<Field, readonly Value[]>;
  readonly #builder: ValueBuilder;
  readonly #found: InputObject[] = [];
  readonly #known = new Set<string>();
  readonly #hasMoreFields: boolean;
  #isCut = false;
  #random = SEED;

  constructor(
    graphs: readonly [Graph, ...Graph[]],
    private readonly options: GenerateOptions,
  ) {
    const [graph] = graphs;
    this.#graph = graph;
    this.#spec = graph.schema.properties?.spec ?? {};
    this.#literals = literalsOf(graphs);
    this.#builder = new ValueBuilder(this.#literals);
    const { fields, isCut } = fieldsOf(this.#spec, this.#literals);
    this.#fields = fields;
    this.#hasMoreFields = isCut;
    const { triesExtremes } = options;
    const given = { literals: this.#literals, builder: this.#builder, triesExtremes };
    this.#values = new Map(this.#fields.map((field) => [field, valuesOf(field, given)]));
  }

  run(): Generated {
    const full = this.#repaired(this.#builder.build(this.#spec, [], true));
    const bare = this.#builder.build(this.#spec, [], false);
    const small = this.#repaired(bare);
    const usual = this.#isAccepted(this.#instance(full, NAME)) ? this.#instance(full, NAME) : undefined;
    for (const spec of [full, bare, small]) this.#add(spec);
    for (const name of this.#names()) this.#add(full, name);
    for (const field of this.#fields) {
      if (!field.isRequired) this.#add(withoutValue(full, field.path));
      if (!this.options.triesExtremes) this.#addEach(full, field);
    }
    for (const changes of this.#corners()) this.#addWith(full, changes);
    // A value of each field before the next ones of any.
    if (this.options.triesExtremes) this.#addByTurns(full);
    for (const group of this.#literals.together) this.#combine(full, group);
    for (const field of this.#fields) this.#addEach(small, field);
    for (let round = 0; round < this.options.most && !this.#isCut; round += 1) this.#addRandom(full);
    return { instances: this.#found, usual, isCut: this.#isCut || this.#hasMoreFields };
  }

  /** The longest name that is a label value, which kro writes into labels. */
  #names(): string[] {
    return this.options.triesExtremes ? ['n'.repeat(63)] : [];
  }

  /** Returns the longest value of every text at once, and the shortest: a text may consist of several fields. */
  #corners(): (readonly [Field, Value])[][] {
    if (!this.options.triesExtremes) return [];
    const isText = ({ schema }: Field): boolean => schema.type === 'string' && schema.enum === undefined;
    const texts = this.#fields.filter(isText);
    if (texts.length < 2) return [];
    const pick = (isBetter: (length: number, than: number) => boolean): (readonly [Field, Value])[] =>
      texts.flatMap((field) => {
        const fitting = (this.#values.get(field) ?? []).filter((one) => typeof one === 'string' && fits(one, field));
        const [first, ...others] = fitting as string[];
        if (first === undefined) return [];
        const best = others.reduce((one, other) => (isBetter(other.length, one.length) ? other : one), first);
        return [[field, best] as const];
      });
    return [pick((length, than) => length > than && length <= LONG_TEXT), pick((length, than) => length < than)];
  }

  #above(path: Path): Value {
    const schema = schemaAt(this.#spec, path);
    return schema === undefined ? {} : this.#builder.build(schema, [], false);
  }

  #withValue(spec: Value, path: Path, value: Value): Value {
    return withValue(spec, path, value, (above) => this.#above(above));
  }

  #addWith(spec: Value, changes: readonly (readonly [Field, Value])[]): void {
    let changed = spec;
    for (const [{ path }, value] of changes) changed = this.#withValue(changed, path, value);
    this.#add(changed);
  }

  #addEach(spec: Value, field: Field): void {
    for (const value of this.#values.get(field) ?? []) this.#addWith(spec, [[field, value]]);
  }

  /** Adds the first value of each field, then the second one of each, and so on. */
  #addByTurns(spec: Value): void {
    let left = [...this.#fields];
    for (let turn = 0; left.length > 0; turn += 1) {
      for (const field of left) {
        const value = this.#values.get(field)?.[turn];
        if (value !== undefined) this.#addWith(spec, [[field, value]]);
      }
      left = left.filter((field) => turn + 1 < (this.#values.get(field)?.length ?? 0));
    }
  }

  /** Adds an instance with this spec, unless it is known or the schema rejects it. */
  #add(spec: Value, name = NAME): void {
    if (this.#isCut) return;
    const key = `${name} ${toJsonText(spec)}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const input = this.#instance(spec, name);
    if (!this.#isAccepted(input)) return;
    if (this.#found.length >= this.options.most) this.#isCut = true;
    else this.#found.push(input);
  }

  #instance(spec: Value, name: string): InputObject {
    const { kind, namespaced } = this.#graph;
    const index = this.#found.length;
    const own = name === NAME ? numbered(NAME, index) : name;
    const metadata: ValueMap = namespaced ? { name: own, namespace: numbered(NAMESPACE, index) } : { name: own };
    return generatedInput({ apiVersion: apiVersionOf(this.#graph), kind, metadata, spec }, index);
  }

  #isAccepted({ object }: InputObject): boolean {
    return this.#graph.admission.admit(object, createBudget(this.options), false).problems.length === 0;
  }

  /** Tries every value of the fields that one expression reads with every value of the others. */
  #combine(full: Value, group: readonly string[]): void {
    const fields = this.#fields.filter(({ named }) => group.includes(named.join('\0')));
    if (fields.length < 2) return;
    let combinations: (readonly [Field, Value])[][] = [[]];
    for (const field of fields.slice(0, MOST_TOGETHER)) {
      const values = (this.#values.get(field) ?? []).slice(0, MOST_COMBINED);
      combinations = combinations.flatMap((one) => values.map((value): typeof one => [...one, [field, value]]));
    }
    for (const changes of combinations) this.#addWith(full, changes);
  }

  #addRandom(full: Value): void {
    const count = 2 + this.#draw(3);
    const changes: [Field, Value][] = [];
    let spec = full;
    for (let index = 0; index < count && this.#fields.length > 0; index += 1) {
      const field = this.#fields[this.#draw(this.#fields.length)] as Field;
      const values = this.#values.get(field) ?? [];
      const value = values[this.#draw(values.length + 1)];
      if (value !== undefined) changes.push([field, value]);
      else if (!field.isRequired) spec = withoutValue(spec, field.path);
    }
    this.#addWith(spec, changes);
  }

  /** Returns a number below another one; the same sequence each time. */
  #draw(below: number): number {
    this.#random = (this.#random * MULTIPLIER) % MODULUS;
    return this.#random % Math.max(1, below);
  }

  /** Returns the values of a field, and for a free text those that expressions may parse. */
  #repairsOf(field: Field): readonly Value[] {
    const values = this.#values.get(field) ?? [];
    const { type, enum: choices, pattern, default: given } = field.schema;
    const isFree = type === 'string' && [choices, pattern, given].every((one) => one === undefined);
    return isFree ? [...FORMS, ...values] : values;
  }

  /** Changes one field at a time until an instance is accepted and has no fault, or nothing helps. */
  #repaired(start: Value): Value {
    const { faultsOf = () => 0 } = this.options;
    const faultsIn = (spec: Value): number => {
      const input = this.#instance(spec, NAME);
      return this.#isAccepted(input) ? faultsOf(input) : Number.POSITIVE_INFINITY;
    };
    let best = start;
    let faults = faultsIn(start);
    let left = MOST_REPAIRS;
    for (const field of this.#fields) {
      for (const value of this.#repairsOf(field)) {
        if (faults === 0) return best;
        const changed = this.#withValue(best, field.path, value);
        if (equal(changed, best)) continue;
        left -= 1;
        if (left < 0) return best;
        const count = faultsIn(changed);
        if (count >= faults) continue;
        best = changed;
        faults = count;
      }
    }
    return best;
  }
}

/** Reports whether a text is within the bounds of its field. */
const fits = (text: string, { schema: { maxLength, minLength } }: Field): boolean =>
  text.length <= Number(maxLength ?? text.length) && text.length >= Number(minLength ?? 0n);

const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}-${index + 1}`);

/** Returns an instance as one that was read: its place distinguishes it from others. */
export function generatedInput(object: KubeObject, index = 0): InputObject {
  return { object, source: { file: GENERATED, text: '', document: index, path: [] } };
}

/** Optional fields: of how many some instances have the field and others do not. */
export interface OptionalFields {
  reached: number;
  all: number;
  /** The paths below `spec` of those that all instances have, or none has. */
  missed: readonly Path[];
}

/** Returns the optional fields of an RGD that instances have and do not have. */
export function optionalFields(graph: Graph, instances: readonly InputObject[]): OptionalFields {
  const { fields } = fieldsOf(graph.schema.properties?.spec ?? {}, literalsOf([graph]));
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const missed = optional.filter(({ path }) => {
    const count = instances.filter(({ object }) => getAt(object, ['spec', ...path]) !== undefined).length;
    return count === 0 || count === instances.length;
  });
  return { reached: optional.length - missed.length, all: optional.length, missed: missed.map(({ path }) => path) };
}
