import file from '../../../data/kubernetes-minors.json';
import { getOrCompute, lazily, onceFor } from '../../core/model/lazily.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { type KubernetesRelease, NEWEST_KUBERNETES } from '../../core/model/render.ts';
import { isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';
import {
  builtinLines,
  builtinNotation,
  definitionsFrom,
  type KindLine,
  type Notation,
  readKindLine,
  readNotation,
  type WrittenSchema,
} from './builtin.ts';
import { isEarlier, lifecycleOf } from './lifecycles.ts';
import { type KindRegistry, kindName, readKindName } from './schema.ts';

// The bundle loads this module, with its table, only for another release than the newest. The format of the table is
// described in tools/kubernetes-minors/README.md.

/** The difference of a definition from that of the next newer release: other keys are keywords of its schema. */
interface Difference extends Omit<WrittenSchema, 'properties'> {
  '='?: Notation;
  '-'?: readonly string[];
  '+'?: Readonly<Record<string, Notation>>;
}

/** What turns the tables of a release into those of the one before it. */
interface Step {
  minor: string;
  kinds: string[];
  differences: Map<string, string>;
}

interface Table {
  /** The releases, from the one before the newest. */
  steps: Step[];
  /** By `DEFINITION FIELD`, the first release whose description says that the field is deprecated. */
  deprecatedFields: Map<string, string>;
}

const table = lazily((): Table => {
  const found: Table = { steps: [], deprecatedFields: new Map() };
  for (const line of file.text.split('\n')) {
    const at = line.startsWith('!') ? line.lastIndexOf(' ') : line.indexOf(' ');
    const rest = line.slice(at + 1);
    if (line.startsWith('!')) found.deprecatedFields.set(line.slice(2, at), rest);
    else if (line.startsWith('#')) found.steps.push({ minor: rest, kinds: [], differences: new Map() });
    else if (/^[-+]/.test(line)) found.steps.at(-1)?.kinds.push(line);
    else found.steps.at(-1)?.differences.set(line.slice(0, at), rest);
  }
  return found;
});

/** Returns the steps from the newest release to an older one. */
const stepsTo = (release: string): readonly Step[] => table().steps.filter(({ minor }) => !isEarlier(minor, release));

const registries = new Map<string, KindRegistry>();

/** Returns the kinds that a release other than the newest serves, alpha and beta versions included. */
export function kindsOfMinor(release: KubernetesRelease): KindRegistry {
  return getOrCompute(registries, release, () => registryOf(release));
}

function registryOf(release: KubernetesRelease): KindRegistry {
  const lines = lazily(() => linesOf(release));
  const definition = definitionsFrom((name) => notationIn(name, release), readNotation);
  return {
    release,
    find(asked) {
      const line = lines().get(kindName(asked));
      const schema = line && definition(line.definition);
      return schema && { schema, namespaced: line.namespaced };
    },
    names: () => lines().keys(),
  };
}

/**
 * A line is `-GROUP VERSION KIND` for a kind that the older release does not have, or `+` with a line of the table. A later
 * release has the kinds of the newest one without those whose removal is planned.
 */
function linesIn(release: string): ReadonlyMap<string, KindLine> {
  const lines = new Map(builtinLines());
  for (const line of stepsTo(release).flatMap(({ kinds }) => kinds)) {
    const { name, ...kind } = readKindLine(line.slice(1));
    if (line.startsWith('-')) lines.delete(name);
    else lines.set(name, kind);
  }
  if (!isEarlier(NEWEST_KUBERNETES, release)) return lines;
  for (const name of lines.keys()) {
    const { removed } = lifecycleOf(readKindName(name)) ?? {};
    if (removed !== undefined && !isEarlier(release, removed)) lines.delete(name);
  }
  return lines;
}

function notationIn(name: string, release: string): Notation | undefined {
  let notation = builtinNotation(name);
  for (const { differences } of stepsTo(release)) {
    const difference = differences.get(name);
    if (difference !== undefined) notation = changed(notation, JSON.parse(difference));
  }
  return notation;
}

function changed(newer: Notation | undefined, difference: Difference): Notation {
  const { '=': whole, '-': removed = [], '+': set = {}, ...keywords } = difference;
  if (whole !== undefined) return whole;
  const schema = newer as WrittenSchema;
  const remaining = Object.entries(schema.properties ?? {}).filter(([name]) => !removed.includes(name));
  const properties = { ...Object.fromEntries(remaining), ...set };
  const entries = Object.entries({ ...schema, ...keywords, properties }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

const linesOf = onceFor(linesIn);

/** Returns the paths of the fields in an object whose description says, in this release, that they are deprecated. */
export function deprecatedPaths(object: Value, gvk: GroupVersionKind, release: string): Path[] {
  const line = linesOf(release).get(kindName(gvk));
  const found: Path[] = [];
  const visit = (value: Value, notation: Notation, definition: string, path: Path): void => {
    if (typeof notation === 'string') {
      if (!notation.startsWith('#')) return;
      const name = notation.slice(1);
      const named = notationIn(name, release);
      if (named !== undefined) visit(value, named, name, path);
    } else if (Array.isArray(value)) {
      const [item] = isList(notation) ? notation : [];
      for (const [index, one] of value.entries()) if (item !== undefined) visit(one, item, '', [...path, index]);
    } else if (isMap(value) && !isList(notation)) {
      for (const key of Object.keys(value)) {
        const property = ownValue(notation.properties, key) ?? notation['*'] ?? notation.additionalProperties;
        if (property === undefined) continue;
        const since = table().deprecatedFields.get(`${definition} ${key}`);
        if (since !== undefined && !isEarlier(release, since)) found.push([...path, key]);
        visit(value[key] as Value, property, '', [...path, key]);
      }
    }
  };
  if (line !== undefined) visit(object, `#${line.definition}`, '', []);
  return found;
}

const isList = (notation: Notation): notation is readonly [Notation?, ...string[]] => Array.isArray(notation);
