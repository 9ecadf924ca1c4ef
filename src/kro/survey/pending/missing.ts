import { getAt, isMap, type Path, type Value } from '../../../core/model/value.ts';
import { smallest } from '../../../core/text/extremes.ts';
import { EACH, keyOf, type Read, type ResolvedRead, type Step, type Survey } from '../reads/index.ts';
import { absencesIn } from './absent.ts';

/** A value that is not there. */
export interface Missing {
  path: readonly Step[];
  /** The expression has a value without it. */
  optional: boolean;
}

/** How many steps of a read have to be there, when others of the same expression may test for them with `has()`. */
export function neededBeside(read: Read, reads: readonly Read[]): number {
  const tests = reads.filter(
    (test) =>
      !test.whole &&
      test.needed < test.path.length &&
      test.root === read.root &&
      test.path.length <= read.path.length &&
      test.path.every((step, index) => step === read.path[index]),
  );
  return smallest(
    tests.map(({ needed }) => needed),
    read.needed,
  );
}

/**
 * What a landing does not find, although a live object could have it. Where something on the way to an optional value
 * has to be there and is not, that is missing too.
 */
export function missingIn(
  { target, path, needed, whole, computed }: ResolvedRead,
  isPending: boolean,
  survey: Survey,
): Missing[] {
  if (computed) return [];
  if (target === undefined) return [{ path, optional: !isPending }];
  const key = keyOf(target);
  const isObserved = key !== undefined && survey.world.observed.find(key) !== undefined;
  const shown = whole ? path : withoutLast(path);
  return absencesIn(target.seen, shown)
    .filter((absence) => !target.holes.some((hole) => touches(hole, absence.path)))
    .flatMap(({ path: at, there }): Missing[] => {
      const blocks = isPending && there < needed;
      if (blocks && needed >= at.length) return [{ path: at, optional: false }];
      // It was observed without the value, which is an answer where a fallback is at hand.
      const optional = isObserved ? [] : [{ path: at, optional: true }];
      return blocks ? [{ path: at.slice(0, needed), optional: false }, ...optional] : optional;
    });
}

/**
 * What an expression waits for that finds everything it reads by a fixed way: an index or a key that is computed, an
 * element that a filter does not let through. That is something in the lists and maps that it looks through, above all
 * in those that only a live object has. Nothing while a node that it reads waits itself.
 */
export function lookedThrough(landings: readonly ResolvedRead[]): [ResolvedRead, Missing][] {
  const known = landings.filter(({ target, computed }) => target !== undefined && !computed);
  if (landings.some(({ node, target }) => node.isPending || target === undefined)) return [];
  const through = known.map((landing): [ResolvedRead, Missing] => {
    const end = landing.path.indexOf(EACH);
    return [landing, { path: end < 0 ? landing.path : landing.path.slice(0, end), optional: false }];
  });
  const live = through.filter(([{ target }, { path }]) => !isScalarOrList(getAt(target?.own, path as Path)));
  return live.length > 0 ? live : through;
}

/** What is rendered wins over what is live, but for maps, which take in what the live one has besides. */
const isScalarOrList = (value: Value | undefined): boolean => value !== undefined && !isMap(value);

/** How many elements a list has is known as soon as the list is. */
const withoutLast = (path: readonly Step[]): readonly Step[] => (path.at(-1) === EACH ? path.slice(0, -1) : path);

const touches = (hole: Path, path: readonly Step[]): boolean =>
  hole.every((step, index) => index >= path.length || path[index] === step || path[index] === EACH);
