import { upToEach } from '../../../core/model/path.ts';
import { getAt, isMap, type Path, type Value } from '../../../core/model/value.ts';
import { smallest } from '../../../core/text/extremes.ts';
import { unknownIn } from '../../../kubernetes/front-end/index.ts';
import { EACH, keyOf, type Read, type ResolvedRead, type Step, type Survey } from '../reads/index.ts';

/** A missing value. */
export interface Missing {
  path: readonly Step[];
  /** The expression has a value without it. */
  optional: boolean;
}

/** Returns how many steps of a read must exist, if other reads of the expression may test them with `has()`. */
export function requiredSteps(read: Read, reads: readonly Read[]): number {
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
 * Returns the missing values of a read that a live object could have. If a required step before an optional value is
 * missing, that is returned too.
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
  return unknownIn(target.seen, shown)
    .filter((unknown) => !target.holes.some((hole) => touches(hole, unknown.path)))
    .flatMap(({ path: at, there }): Missing[] => {
      const blocks = isPending && there < needed;
      if (blocks && needed >= at.length) return [{ path: at, optional: false }];
      // It was observed without the value, which is final if there is a fallback.
      const optional = isObserved ? [] : [{ path: at, optional: true }];
      return blocks ? [{ path: at.slice(0, needed), optional: false }, ...optional] : optional;
    });
}

/**
 * Returns what is pending for an expression that finds all of its fixed reads: for a computed index or key, or an
 * element that a filter excludes, those are the lists and maps that it searches, above all live ones. Returns nothing
 * while one of its nodes is pending.
 */
export function lookedThrough(landings: readonly ResolvedRead[]): [ResolvedRead, Missing][] {
  const known = landings.filter(({ target, computed }) => target !== undefined && !computed);
  if (landings.some(({ node, target }) => node.isPending || target === undefined)) return [];
  const through = known.map((landing): [ResolvedRead, Missing] => [
    landing,
    { path: upToEach(landing.path), optional: false },
  ]);
  const live = through.filter(([{ target }, { path }]) => !isScalarOrList(getAt(target?.own, path as Path)));
  return live.length > 0 ? live : through;
}

/** Rendered values win over live ones, except for maps, which are merged. */
const isScalarOrList = (value: Value | undefined): boolean => value !== undefined && !isMap(value);

/** The length of a list is known if the list is. */
const withoutLast = (path: readonly Step[]): readonly Step[] => (path.at(-1) === EACH ? path.slice(0, -1) : path);

const touches = (hole: Path, path: readonly Step[]): boolean =>
  hole.every((step, index) => index >= path.length || path[index] === step || path[index] === EACH);
