import {
  Collector,
  composeText,
  hidesName,
  phrase,
  reporterFor,
  shownTitleOf,
  trusted,
} from '../core/diagnostics/index.ts';
import { lazily, onceFor } from '../core/model/lazily.ts';
import { MAX_RENDER_DEPTH } from '../core/model/limits.ts';
import {
  type InputObject,
  identityOf,
  isKubeObject,
  isObserved,
  type KubeObject,
  nameOf,
} from '../core/model/object.ts';
import { API_VERSION, GROUP, PROVIDER, SET } from '../core/model/resource-set.ts';
import { get, listAt, type Path, textsIn, type Value } from '../core/model/value.ts';
import { nearest } from '../core/text/nearest.ts';
import {
  type Context,
  type FrontEnd,
  type Ordering,
  type Outcome,
  type Review,
  renderedInputs,
  reportTooDeep,
  reviewAlone,
  roleOf,
  type Session,
  type Surveyed,
} from '../kubernetes/front-end/index.ts';
import { kindsOf } from '../kubernetes/schema/index.ts';
import { type ExpandedSet, expandSetOnce, type ResourceSetContext, renderBudget } from './expand.ts';
import { coerced, isInputProvider, isResourceSet } from './kinds.ts';
import { orderOfSets } from './order.ts';
import { INPUTS, surveySets } from './survey.ts';

/**
 * Renders ResourceSets in stages: one whose `inputsFrom` names an unknown provider, or selects providers, comes after
 * those that may render providers. If all of them depend on each other, they keep their order.
 */
function inStages(
  sets: readonly InputObject[],
  providers: readonly InputObject[],
  render: (set: InputObject) => void,
): void {
  let waiting = sets.map((set) => {
    const spec = get(set.object, 'spec');
    const names = listAt(spec, 'inputsFrom').map((reference) => get(reference, 'name'));
    const templates = ['resources', 'resourcesTemplate', 'steps'].map((field) => get(spec, field) ?? null);
    return { set, names, rendersProviders: [...textsIn(templates)].some(({ text }) => text.includes(PROVIDER)) };
  });
  while (waiting.length > 0) {
    const makers = waiting.filter(({ rendersProviders }) => rendersProviders).slice(0, 2);
    const known = new Set<unknown>(makers.length === 0 ? [] : providers.map(({ object }) => nameOf(object)));
    const isReady = ({ set, names }: (typeof waiting)[number]): boolean =>
      names.every((name) => known.has(name)) || makers.every((maker) => maker.set === set);
    const ready = waiting.filter(isReady);
    for (const { set } of ready.length > 0 ? ready : waiting) render(set);
    waiting = ready.length > 0 ? waiting.filter((one) => !isReady(one)) : [];
  }
}

/** The front end of Flux ResourceSets. */
export const flux: FrontEnd<FluxSession> = {
  name: 'flux',
  apis: [
    {
      group: GROUP,
      apiVersion: API_VERSION,
      kinds: [SET, PROVIDER],
      code: 'resourceset-not-known',
      oneVersion: false,
      // Other groups may have a kind of this name too.
      takesGroup: (group) => /flux|controlplane/i.test(group) || group === '' || nearest(group, [GROUP]).length > 0,
    },
  ],
  takes: isResourceSet,
  reads: isResourceSet,
  coerce: coerced,
  kindsIn: () => [{ kind: SET, group: GROUP }],
  start: (context) => new FluxSession(context),
};

/** Renders each ResourceSet once: at once if another one renders it, and later if an instance does. */
class FluxSession implements Session {
  readonly reports = new Collector();
  readonly outcomes = new Map<KubeObject, Outcome>();
  private readonly expanded = new Map<InputObject, ExpandedSet>();
  private sets: readonly InputObject[] = [];
  private around: ResourceSetContext | undefined;
  private readonly reportedOrder = new Set<string>();

  constructor(private readonly context: Context) {}

  /** Every ResourceSet, including rendered ones. */
  get all(): readonly ExpandedSet[] {
    return [...this.expanded.values()];
  }

  read(objects: readonly InputObject[]): void {
    this.sets = objects.filter(({ object }) => isResourceSet(object) && !isObserved(object));
  }

  expand(depth: number): void {
    if (this.sets.length === 0) return;
    this.around ??= surroundingsOf(this.sets, this.context, this.reports);
    const { around } = this;
    const waiting = this.sets.filter((set) => !this.expanded.has(set));
    inStages(waiting, around.providers.written, (set) => this.expandSet(set, around, depth));
  }

  /** Renders a ResourceSet, and the ResourceSets that it renders. */
  private expandSet(set: InputObject, around: ResourceSetContext, depth: number): void {
    if (depth > MAX_RENDER_DEPTH) {
      reportTooDeep(set, this.reports);
      return;
    }
    const expanded = expandSetOnce(set, around);
    const { passedThrough, rendered: items, used, id } = expanded;
    this.expanded.set(set, expanded);
    const templateAt = onceFor((path: Path) => ({ input: set, path }));
    const rendered = items.map(({ object, path }) => ({
      object: object as KubeObject,
      instanceId: id,
      node: 'resources',
      template: templateAt(path),
    }));
    this.outcomes.set(set.object, { input: set, role: 'instance', rendered, passedThrough });
    for (const input of passedThrough ? [] : used) {
      this.outcomes.set(input.object, { input, role: 'observed', rendered: [], passedThrough: false });
    }
    const toInput = renderedInputs(set);
    const inputsOf = (takes: (object: KubeObject) => boolean): InputObject[] =>
      rendered
        .filter(({ object }) => isKubeObject(object) && takes(object))
        .map((one) => toInput(one, set.secret && 'everything'));
    for (const one of inputsOf(isInputProvider)) around.providers.written.push(one);
    for (const one of inputsOf(isResourceSet)) this.expandSet(one, around, depth + 1);
  }

  get pending(): Session['pending'] {
    return this.all
      .filter(({ missing, passedThrough }) => missing.length > 0 && !passedThrough)
      .map(({ id }) => ({ instanceId: id, node: INPUTS }));
  }

  order(): Ordering {
    const { objects } = this.context.pack;
    return { ...orderOfSets(this.all, objects, this.reportedOrder, this.reports), instances: [] };
  }

  hidesKind(): (object: KubeObject) => boolean {
    const secret = this.all.filter(({ input }) => input.secret !== undefined);
    const objects = new Set(secret.flatMap(({ rendered }) => rendered.map(({ object }) => object)));
    return (object) => objects.has(object);
  }

  reviews(): (object: KubeObject) => Review | undefined {
    const reviews = lazily(() => reviewsOf(this.all));
    return (object) => reviews().get(identityOf(object))?.();
  }

  survey(): Surveyed[] {
    return [surveySets(this.all)];
  }
}

function surroundingsOf(
  sets: readonly InputObject[],
  { pack, input, options }: Context,
  reports: Collector,
): ResourceSetContext {
  rejectOtherObjects(pack.beside, reports);
  const own = [...pack.objects, ...pack.beside].filter(({ object }) => isInputProvider(object));
  const isLive = ({ object }: InputObject): boolean => isObserved(object);
  const observed = [...own.filter(isLive), ...pack.observed];
  const providers = {
    written: own.filter((one) => !isLive(one)),
    observed: observed.filter(({ object }) => isInputProvider(object)),
    faulty: new Set<InputObject>(),
    reports,
  };
  const given: Value | undefined = input.inputSets?.value;
  if (given !== undefined && sets.length > 1) {
    const message = phrase`--inputs-from supports one ResourceSet, but the input contains ${{ count: sets.length }}`;
    const hint = phrase`write a ResourceSetInputProvider of type Static, and name it in spec.inputsFrom`;
    reporterFor(sets[0] as InputObject, reports).report({ code: 'inputs-file', message, path: [], hint });
  }
  const isNamedFile = input.isNamedFile === true;
  const crds = [...pack.objects, ...pack.beside].filter(({ object }) => roleOf(object) === 'crd');
  // The front end of kro reports what is wrong with a CRD.
  const kinds = lazily(() => kindsOf(crds, input.openapi, options.kubernetes, new Collector()));
  const around = { providers, budget: renderBudget(options), isNamedFile, kinds, options, reports };
  return given === undefined ? around : { ...around, inputs: given };
}

/** In a file of providers, every object must be one. */
function rejectOtherObjects(definitions: readonly InputObject[], reports: Collector): void {
  const files = new Set(definitions.filter(({ object }) => isInputProvider(object)).map(({ source }) => source?.text));
  files.delete(undefined);
  for (const one of definitions) {
    if (!files.has(one.source?.text) || isInputProvider(one.object) || !isPlain(one.object)) continue;
    const message = phrase`the file contains ResourceSetInputProviders, but this object is a ${{ kind: one.object.kind }} of ${{ apiVersion: one.object.apiVersion }}`;
    const hint = phrase`fix its apiVersion and kind, or move it to another file`;
    reporterFor(one, reports).report({ code: 'provider-kind', message, path: ['kind'], hint });
  }
}

/** Reports whether an object is an RGD or a CRD, as usual in --definitions. */
const isPlain = ({ kind }: KubeObject): boolean =>
  kind !== 'ResourceGraphDefinition' && kind !== 'CustomResourceDefinition';

/** The redaction of an object of a ResourceSet that contains values of Secrets. */
const MADE_OF_SECRETS = {
  secrecy: true,
  nameless: true,
  named: [],
};

/** Returns what a comparison needs, by identity. Objects match by their template, and the index of their inputs. */
function reviewsOf(sets: readonly ExpandedSet[]): Map<string, () => Review> {
  const reviews = new Map<string, () => Review>();
  const counts = new Map<string, number>();
  for (const { rendered, place, input } of sets) {
    const templateOf = onceFor((path: Path) => JSON.stringify([place.namespace, place.name, path]));
    for (const { object, path, inputs } of rendered) {
      const template = JSON.stringify([templateOf(path), inputs?.title ?? '']);
      const count = counts.get(template) ?? 0;
      counts.set(template, count + 1);
      if (!isKubeObject(object)) continue;
      reviews.set(identityOf(object), () => {
        const instance = shownTitleOf(input);
        const namespace = hidesName(input.secret) ? composeText`` : trusted.definition(place.namespace);
        const found = { instance, namespace, node: trusted.field(path), key: `${template}${count}` };
        const known = input.secret === undefined ? reviewAlone(object) : MADE_OF_SECRETS;
        return { ...known, place: found };
      });
    }
  }
  return reviews;
}
