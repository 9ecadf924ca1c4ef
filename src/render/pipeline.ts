import {
  Collector,
  composeText,
  isPending,
  pendingLast,
  phrase,
  type Report,
  reporterFor,
  shownTitleOf,
  withoutConsequences,
} from '../core/diagnostics/index.ts';
import { lazily } from '../core/model/lazily.ts';
import { type GroupVersionKind, type InputObject, identityOf, type KubeObject } from '../core/model/object.ts';
import type { Entry, Order, Rendered, RenderInput, RenderOptions } from '../core/model/render.ts';
import type { Path } from '../core/model/value.ts';
import { type FrontEnd, type Outline, roleOf, type Session, type Surveyed } from '../kubernetes/front-end/index.ts';
import { annotateOrder, type Ordered } from '../kubernetes/label/index.ts';
import { describedBy, firstOf } from '../kubernetes/schema/index.ts';
import { FRONT_ENDS } from './front-ends.ts';
import { Work } from './work.ts';

/*
 * The steps by which a package becomes objects: read, compile, admit, expand, order; what is printed of them is selected
 * and emitted by whoever asked. An error in one object does not stop the steps of others.
 *
 * A front end is a language of templates. `FrontEnd` is all that the pipeline knows of one: it takes its own objects,
 * and what it renders goes back among the objects for the others, until nothing is left.
 */

export interface RenderOutput {
  /** One entry for each object of the package, in input order, lists flattened. */
  entries: readonly Entry[];
  /** Pending nodes that were omitted (`onPending: 'skip'`). */
  pending: readonly { instanceId: string; node: string }[];
  /** What the RGDs define and render, including those in `definitions`. */
  defined: readonly Outline[];
  /** Reports whether the package, Kubernetes or the given OpenAPI document describes a kind. */
  isDescribed(gvk: GroupVersionKind): boolean;
  /** All diagnostics, in a stable order. If one is an error, `entries` must not be printed. */
  reports: readonly Report[];
}

export interface Rendering extends RenderOutput {
  /** Returns the entries, also after an error: what has none is rendered, and must not be printed. */
  partial(): readonly Entry[];
  sessions: readonly Session[];
  of<S extends Session>(frontEnd: FrontEnd<S>): S | undefined;
}

/** Renders a package. Pure: the same input and options have the same output. All diagnostics are in `reports`. */
export function renderPackage(input: RenderInput, options: RenderOptions, frontEnds = FRONT_ENDS): RenderOutput {
  const { entries, pending, defined, isDescribed, reports } = renderWithSessions(input, options, frontEnds);
  return { entries, pending, defined, isDescribed, reports };
}

/** Renders a package and keeps the sessions of the front ends; retains much more memory than `renderPackage`. */
export function renderWithSessions(input: RenderInput, options: RenderOptions, frontEnds = FRONT_ENDS): Rendering {
  const work = new Work(input, options, frontEnds);
  work.expand();
  const ordered = order(work, options.order);
  const collisions = collisionsIn(work);
  const { sessions } = work;
  const hasErrors = work.hasErrors || collisions.hasErrors;
  const partial = lazily(() => work.pack.objects.map((one) => entryOf(one, work, ordered)));
  return {
    entries: hasErrors ? [] : partial(),
    partial,
    pending: hasErrors ? [] : sessions.flatMap((one) => one.pending),
    defined: sessions.flatMap((one) => one.outlines?.() ?? []),
    isDescribed: describedBy(firstOf(sessions.flatMap(({ kinds }) => kinds ?? []))),
    reports: withoutConsequences(pendingLast([...work.all, ...collisions])),
    of: (frontEnd) => work.of(frontEnd),
    sessions,
  };
}

/** Returns what each front end reads of a cluster, at every node, including pending ones. */
export function surveyPackage(
  input: RenderInput,
  options: RenderOptions,
  frontEnds = FRONT_ENDS,
): { survey?: readonly Surveyed[]; reports: readonly Report[] } {
  const asked: RenderOptions = { ...options, onPending: 'skip', order: 'none', keepOwnerReferences: true };
  const work = new Work(input, asked, frontEnds);
  work.expand();
  const reports = work.all.filter((report) => !isPending(report));
  return work.hasErrors ? { reports } : { survey: work.sessions.flatMap((one) => one.survey?.() ?? []), reports };
}

/** Reads a package and compiles its definitions, as far as they are valid. */
export function compilePackage(
  input: RenderInput,
  options: RenderOptions,
  frontEnds = FRONT_ENDS,
): { compiled: Pick<Rendering, 'of'>; reports: readonly Report[] } {
  const work = new Work(input, options, frontEnds);
  work.compile();
  return { compiled: work, reports: work.all };
}

/** Returns the CRDs that the RGDs of a package generate, sorted by name, without those of `definitions`. */
export function crdsOf(
  input: RenderInput,
  options: RenderOptions,
  frontEnds = FRONT_ENDS,
): { crds: KubeObject[]; reports: readonly Report[] } {
  const work = new Work(input, options, frontEnds);
  work.compile();
  const crds = work.hasErrors ? [] : work.sessions.flatMap((one) => one.crds?.() ?? []);
  return { crds, reports: work.all };
}

/** Returns the objects with order annotations: all of them are ordered together. */
function order(work: Work, how: Order): ReadonlyMap<KubeObject, KubeObject> {
  if (how === 'none' || work.hasErrors) return new Map();
  const all = work.sessions.map((one) => one.order?.() ?? unordered(one));
  const groups = all.flatMap((one) => one.groups);
  const instances = all.flatMap((one) => one.instances);
  const objects = all.flatMap((one) => one.objects);
  const ordered = annotateOrder(objects, how, groups.length === 0 ? [] : [...groups, ...instances]);
  return new Map([...ordered].map(([one, object]) => [one.object, object]));
}

/** Objects of a front end without an order have unknown dependencies. */
const unordered = ({ outcomes }: Session): { objects: readonly Ordered[]; groups: []; instances: [] } => {
  const objects = [...outcomes.values()].flatMap(({ rendered }) => rendered);
  const one = { dependencies: [], reportOrder: () => undefined };
  return { objects: objects.map(({ object }) => ({ object, ...one })), groups: [], instances: [] };
};

/** Reports objects with the same identity of two front ends, or of a front end and the package. */
function collisionsIn(work: Work): Collector {
  const { pack, queues, hasErrors } = work;
  const reports = new Collector();
  const makers = queues.filter(({ session }) => session.outcomes.size > 0);
  if (hasErrors || makers.every(({ frontEnd }) => frontEnd.reportsCollisions)) return reports;
  const known = new Map<string, RenderedFrom>();
  const plain = pack.objects.filter(({ object }) => work.outcomeOf(object) === undefined && roleOf(object) === 'other');
  for (const one of makers.flatMap(({ session }) => renderedIn(session))) {
    const identity = identityOf(one.object);
    const first = known.get(identity);
    if (first === undefined) known.set(identity, one);
    else reportCollision(one, first, reports);
  }
  for (const input of plain) {
    const first = known.get(identityOf(input.object));
    if (first !== undefined) reportCollision({ object: input.object, owner: input, input, path: [] }, first, reports);
  }
  return reports;
}

/** A rendered object, the objects that were rendered from it, and its template. */
interface RenderedFrom {
  object: KubeObject;
  owner: InputObject;
  input: InputObject;
  path: Path;
}

const renderedIn = ({ outcomes }: Session): RenderedFrom[] =>
  [...outcomes.values()].flatMap(({ input: owner, rendered }) =>
    rendered.map(({ object, template }) => ({
      object,
      owner,
      input: template?.input ?? owner,
      path: template?.path ?? [],
    })),
  );

function reportCollision({ input, path, object }: RenderedFrom, first: RenderedFrom, reports: Collector): void {
  const [, kind, , name] = identityOf(object).split('/');
  const message = phrase`${{ origin: shownTitleOf(first.owner) }} also renders ${{ kind: kind ?? '' }}/${{ name: name ?? '' }}`;
  const related = [{ message: composeText`the other one`, source: first.input.source, path: first.path }];
  reporterFor(input, reports).report({ code: 'identity-collision', message, path, related });
}

function entryOf(input: InputObject, work: Work, ordered: ReadonlyMap<KubeObject, KubeObject>): Entry {
  const outcome = work.outcomeOf(input.object);
  if (outcome === undefined) return { input, role: roleOf(input.object), rendered: [], passedThrough: false };
  const { role, rendered, passedThrough } = outcome;
  return { input, role, rendered: rendered.flatMap((one) => inPlace(one, work, ordered)), passedThrough };
}

/** Returns a rendered object, or what another front end rendered from it. */
function inPlace(one: Rendered, work: Work, ordered: ReadonlyMap<KubeObject, KubeObject>): Rendered[] {
  const outcome = work.outcomeOf(one.object);
  // An object that another front end read as a live one is not applied either.
  if ((outcome?.role === 'instance' || outcome?.role === 'observed') && !outcome.passedThrough) {
    return outcome.rendered.flatMap((inner) => inPlace(inner, work, ordered));
  }
  const object = ordered.get(one.object);
  return [object === undefined ? one : { ...one, object }];
}
