import {
  type HiddenTitle,
  type Report,
  shownNamespaceOf,
  shownTitleOf,
  trusted,
} from '../../core/diagnostics/index.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  groupVersionKind,
  identityOf,
  type KubeObject,
  namespaceOf,
  withoutNamespace,
} from '../../core/model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isSecret } from '../../core/redaction/index.ts';
import type { OnExpression } from '../../kro/compile/index.ts';
import type { Expansion } from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { reviewAlone as knownOf, type Review, type Session, withFrontEnd } from '../../kubernetes/front-end/index.ts';
import { builtinKinds, type KindRegistry, type Schema } from '../../kubernetes/schema/index.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';

/** A compared object with its redaction. */
export interface Reviewed extends Review {
  object: KubeObject;
  schema?: Schema | undefined;
}

/** One version of a package, rendered. */
export interface Version {
  objects: readonly Reviewed[];
  /** If one is an error, `objects` is meaningless. */
  reports: readonly Report[];
  /** The runs of RGDs that rendered the objects, as far as they got. */
  expansion?: Expansion;
  entries: readonly Entry[];
  rendering: Rendering;
  /** Returns the entries, also after an error. */
  partial(): readonly Entry[];
  /** Returns the objects that are compared of an entry. */
  reviewed(entry: Entry): readonly Reviewed[];
}

/**
 * Renders one version of a package for a comparison: the objects that `render` would print. The results of compiling RGDs
 * are cached for further renderings of the same parsed objects, by default if no expression is reported.
 */
export function renderVersion(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
  onExpression?: OnExpression,
  frontEnds = FRONT_ENDS,
  keeps?: boolean,
): Version {
  const listening = withFrontEnd(kroWith(onExpression, keeps), frontEnds);
  const output = renderWithSessions(withoutEarlier(input, frontEnds), options, listening);
  const expansion = output.of(kro)?.expansion;
  const reviews = output.sessions.map((one) => one.reviews?.() ?? reviewerOf(one));
  const kinds = output.of(kro)?.kinds ?? builtinKinds;
  const review = (object: KubeObject): Findings => {
    for (const reviewIn of reviews) {
      const known = reviewIn(object);
      if (known !== undefined) return withSchema(known, object, kinds);
    }
    return reviewAlone(object);
  };
  const reviewed = (entries: readonly Entry[]): Reviewed[] =>
    objectsToPrint({ entries }, options).objects.map((object) => {
      const scoped = inScope(object, kinds);
      return onDemand(scoped, () => review(object));
    });
  return {
    objects: reviewed(output.entries),
    reports: output.reports,
    entries: output.entries,
    rendering: output,
    partial: output.partial,
    reviewed: (entry) => reviewed([entry]),
    ...(expansion && { expansion }),
  };
}

/** What of the title of an object may be a value of a Secret: its name, or even its kind. */
export const hiddenTitleOfReviewed = ({ nameless, secrecy }: Pick<Reviewed, 'nameless' | 'secrecy'>): HiddenTitle =>
  isSecret(secrecy, ['kind']) || isSecret(secrecy, ['apiVersion']) ? 'everything' : nameless;

/** Returns an object with fields that its controller sets, as reviewed as before. */
export const placedIn = (one: Reviewed, object: KubeObject): Reviewed => onDemand(object, () => one);

/** What is known of an object that is compared. */
type Findings = Omit<Reviewed, 'object'>;

/** Returns an object whose review is computed on demand, because most objects of two versions are equal. */
function onDemand(object: KubeObject, review: () => Findings): Reviewed {
  const known = lazily(review);
  return {
    object,
    get place() {
      return known().place;
    },
    get secrecy() {
      return known().secrecy;
    },
    get nameless() {
      return known().nameless;
    },
    get named() {
      return known().named;
    },
    get schema() {
      return known().schema;
    },
  };
}

/** Returns a review with the schema of the object, whose parts are computed on demand. */
const withSchema = (known: Review, object: KubeObject, kinds: KindRegistry): Findings => ({
  get place() {
    return known.place;
  },
  get secrecy() {
    return known.secrecy;
  },
  get nameless() {
    return known.nameless;
  },
  get named() {
    return known.named;
  },
  get schema() {
    const kind = kinds.find(groupVersionKind(object));
    return kind?.written?.() ?? kind?.schema;
  },
});

export function reviewAlone(given: KubeObject): Reviewed {
  const object = inScope(given, builtinKinds);
  return onDemand(object, () => withSchema(knownOf(object), object, builtinKinds));
}

/** Returns an object as an API server stores it: a cluster-scoped one has no namespace. */
const inScope = (object: KubeObject, kinds: KindRegistry): KubeObject =>
  namespaceOf(object) !== '' && kinds.find(groupVersionKind(object))?.namespaced === false
    ? withoutNamespace(object)
    : object;

/** Returns the reviewer of a front end without one: objects are matched by instance and node. */
function reviewerOf({ outcomes }: Session): (object: KubeObject) => Review | undefined {
  const reviews = lazily(() => {
    const all = new Map<string, () => Review>();
    for (const { input, rendered } of outcomes.values()) {
      rendered.forEach(({ object, node }, index) => {
        all.set(identityOf(object), () => {
          const key = JSON.stringify([identityOf(input.object), node, index]);
          const place = {
            instance: shownTitleOf(input),
            namespace: shownNamespaceOf(input),
            node: trusted.definition(node),
            key,
          };
          const known = input.secret === undefined ? knownOf(object) : { secrecy: true, nameless: true, named: [] };
          return { ...known, place };
        });
      });
    }
    return all;
  });
  return (object) => reviews().get(identityOf(object))?.();
}
