import { groupBy } from '../../core/model/group-by.ts';
import { type InputObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { mapOf } from '../../core/model/value.ts';
import { equalValues, type Leaves, leavesOf, samePaths } from './leaves.ts';
import type { Copy, Identity, Rows } from './model.ts';
import { withOwn } from './texts.ts';

/** Objects of the copies that are one object of the RGD: at most one in each row. */
export interface Aligned {
  readonly apiVersion: string;
  readonly kind: string;
  readonly rows: Rows;
  readonly inputs: readonly (InputObject | undefined)[];
  /** What distinguishes its name from those of other objects of its kind. */
  readonly label: string;
  /** For a collection: the rows of its copies. */
  readonly outer?: Rows;
}

/** An object with its copy. */
interface Placed {
  readonly copy: number;
  readonly input: InputObject;
  readonly object: KubeObject;
}

/** The share of equal values that items of a collection have at least. */
const ONE_SHAPE = 0.5;

/** The share of equal fields that objects of several copies have at least, whatever their values are. */
const SAME_PATHS = 0.75;

/** Matches the objects of copies: the same node in each copy. */
export function align(copies: readonly Copy[], identities: readonly Identity[], rows: Rows): Aligned[] {
  const placed = copies.flatMap(({ objects }, copy) =>
    objects.map((input): Placed => ({ copy, input, object: input.object })),
  );
  const keyOf = ({ copy, object }: Placed): string => keyIn(object, identities[copy] as Identity);
  const aligned: { first: number; node: Aligned }[] = [];
  const order = new Map(placed.map((one, index) => [one, index]));
  const add = (group: readonly Placed[], node: Aligned): void => {
    const [first] = group;
    aligned.push({ first: first === undefined ? 0 : (order.get(first) ?? 0), node });
  };
  for (const ofKind of groupBy(placed, ({ object }) => `${object.apiVersion} ${object.kind}`).values()) {
    for (const { members, isCollection } of groupsOfKind(ofKind, keyOf, identities)) {
      if (isCollection) {
        add(members, collectionOf(members, rows));
        continue;
      }
      for (const part of bySignature(members, identities)) add(part, nodeOf(part, rows, identities));
    }
  }
  return aligned.sort((a, b) => a.first - b.first).map(({ node }) => node);
}

/** Returns what an object is recognized by: its name without the part of its copy, and its namespace if that is another. */
function keyIn(object: KubeObject, { own, namespace }: Identity): string {
  const other = namespaceOf(object);
  return `${withOwn(nameOf(object), own)} ${other === namespace ? '' : withOwn(other, own)}`;
}

interface Group {
  members: readonly Placed[];
  isCollection: boolean;
}

/** Matches the objects of one kind. */
function groupsOfKind(
  ofKind: readonly Placed[],
  keyOf: (one: Placed) => string,
  identities: readonly Identity[],
): Group[] {
  const byKey = groupBy(ofKind, keyOf);
  const whole: Placed[][] = [];
  const partial: Placed[][] = [];
  for (const group of byKey.values()) {
    const copies = new Set(group.map(({ copy }) => copy)).size;
    if (copies < group.length) for (const one of group) partial.push([one]);
    else if (copies === identities.length) whole.push(group);
    else partial.push(group);
  }
  const node = (members: readonly Placed[]): Group => ({ members, isCollection: false });
  if (partial.length < 2) return [...whole, ...partial].map(node);
  const collection = collectionIn(whole, partial, identities);
  if (collection !== undefined) {
    const rest = [...whole, ...partial].filter((group) => !collection.includes(group));
    return [{ members: inOrder(collection.flat()), isCollection: true }, ...rest.map(node)];
  }
  return [...whole, ...joinedGroups(partial, identities)].map(node);
}

/** With how many others the objects of a kind are compared. */
const MOST_ALIKE = 100;

const areAlike = (a: Leaves, b: Leaves): boolean => equalValues(a, b) >= ONE_SHAPE || samePaths(a, b) >= SAME_PATHS;

/** Joins groups of different copies whose objects are alike and have other names: the name is a field then. */
function joinedGroups(groups: readonly Placed[][], identities: readonly Identity[]): Placed[][] {
  const joined: { members: Placed[]; copies: Set<number>; leaves: Leaves }[] = [];
  for (const group of groups) {
    const leaves = leavesOfGroup(group, identities);
    const isApart = (copies: ReadonlySet<number>): boolean => group.every(({ copy }) => !copies.has(copy));
    const near = joined.slice(-MOST_ALIKE);
    const found = near.find((one) => isApart(one.copies) && areAlike(one.leaves, leaves));
    if (found === undefined) {
      joined.push({ members: [...group], copies: new Set(group.map(({ copy }) => copy)), leaves });
      continue;
    }
    for (const one of group) {
      found.members.push(one);
      found.copies.add(one.copy);
    }
  }
  return joined.map(({ members }) => members);
}

/** Returns the values of the first object of a group, with a mark for the own part of its copy. */
function leavesOfGroup([one]: readonly Placed[], identities: readonly Identity[]): Leaves {
  return one === undefined ? new Map() : leavesOf(one.object, identities[one.copy]?.own ?? '');
}

/** Returns the groups that are items of a collection: objects of one shape, in different numbers in the copies. */
function collectionIn(
  whole: readonly Placed[][],
  partial: readonly Placed[][],
  identities: readonly Identity[],
): Placed[][] | undefined {
  const counts = new Set<number>();
  const perCopy = groupBy(partial.flat(), ({ copy }) => copy);
  for (const copy of identities.keys()) counts.add(perCopy.get(copy)?.length ?? 0);
  if (counts.size < 2 || [...counts].every((count) => count < 2)) return undefined;
  const leaves = (group: readonly Placed[]): Leaves => leavesOfGroup(group, identities);
  const first = leaves(partial[0] as Placed[]);
  const isAlike = (group: readonly Placed[]): boolean => equalValues(first, leaves(group)) >= ONE_SHAPE;
  if (!partial.every(isAlike)) return undefined;
  const signatures = new Set(partial.flat().map(({ object }) => signatureOf(object)));
  if (signatures.size > 1) return undefined;
  const others = whole.filter(
    (group) => isAlike(group) && group.every(({ object }) => signatures.has(signatureOf(object))),
  );
  return [...others, ...partial];
}

const inOrder = (members: readonly Placed[]): Placed[] => [...members].sort((a, b) => a.copy - b.copy);

/** Splits objects by the fields that no expression can leave out: those of the object itself, and its namespace. */
function bySignature(group: readonly Placed[], identities: readonly Identity[]): Placed[][] {
  const isOwn = group.every(({ copy, object }) => namespaceOf(object) === identities[copy]?.namespace);
  const signature = ({ object }: Placed): string =>
    `${signatureOf(object)}${isOwn || namespaceOf(object) === '' ? '' : ' namespace'}`;
  return [...groupBy(group, signature).values()];
}

function signatureOf(object: KubeObject): string {
  const ofMetadata = Object.keys(mapOf(object.metadata)).filter((key) => !OPTIONAL_METADATA.includes(key));
  const own = Object.keys(object).filter((key) => object[key] !== null);
  return [...own.sort(), ...ofMetadata.sort()].join(' ');
}

/** An empty map is equal to none, and the namespace is written where it is needed. */
const OPTIONAL_METADATA: readonly string[] = ['labels', 'annotations', 'namespace'];

function nodeOf(group: readonly Placed[], rows: Rows, identities: readonly Identity[]): Aligned {
  const [first] = group as [Placed];
  const inputs: (InputObject | undefined)[] = Array.from({ length: rows.size });
  for (const { copy, input } of group) inputs[copy] = input;
  const { apiVersion, kind } = first.object;
  return { apiVersion, kind, rows, inputs, label: withOwn(nameOf(first.object), identities[first.copy]?.own ?? '') };
}

function collectionOf(group: readonly Placed[], outer: Rows): Aligned {
  const [first] = group as [Placed];
  const rows: Rows = { size: group.length, outer: { rows: outer, of: group.map(({ copy }) => copy) }, prefix: '' };
  const { apiVersion, kind } = first.object;
  return { apiVersion, kind, rows, outer, inputs: group.map(({ input }) => input), label: '' };
}
