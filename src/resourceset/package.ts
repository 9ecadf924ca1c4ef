import { Collector, hasErrors, type Report, reporterFor } from '../diagnostics/index.ts';
import { annotationOf, type InputObject, identityOf, isKubeObject, type KubeObject } from '../model/object.ts';
import type { Entry, Rendered, RenderInput, RenderOptions } from '../model/render.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { flattenObjects, objectsIn } from '../parse/index.ts';
import { type ExpandedSet, expandSet, type Surroundings } from './expand.ts';
import { isSetEntry, mayHoldSets, type Output } from './holds.ts';
import { coerced, isInputProvider, isResourceSet } from './kinds.ts';
import { orderOfSets, type SetOrder } from './order.ts';
import { RenderBudget } from './render/budget.ts';
import { INPUTS, type SetSurvey, surveySets } from './survey.ts';

/** How deep ResourceSets and RGDs may render one another. */
const MAX_DEPTH = 8;
const OBSERVED = 'render-rgd.dev/observed';

/** Renders a package without ResourceSets; what these made is told its order among all objects. */
type RenderRgds<Rest> = (
  input: RenderInput,
  beside: SetOrder & { ordered: (object: KubeObject, annotated: KubeObject) => void },
) => Rest;

/**
 * Renders a package with the ResourceSets in it. What they make takes part in the rendering of RGDs: an instance is
 * expanded in its place, other objects can be read. A ResourceSet that an RGD renders is rendered in turn.
 */
export function renderWithSets<Rest extends Output>(
  input: RenderInput,
  options: RenderOptions,
  renderRgds: RenderRgds<Rest>,
  nothing: (reports: readonly Report[]) => Rest,
): Rest & { sets?: readonly ExpandedSet[] } {
  const reports = new Collector();
  const objects = flattenObjects(input.objects.map(coerced), reports);
  const sets = objects.filter((one) => isSetEntry(one) && annotationOf(one.object, OBSERVED) !== 'true');
  const world = new World(objects, sets, input, options, reports);
  for (const one of sets) world.expand(one, 0);
  if (reports.hasErrors) return nothing(reports.all);
  const output = world.settle(renderRgds);
  if (output === undefined || reports.hasErrors) return nothing(reports.all);
  world.refuseCollisions(output);
  if (reports.hasErrors) return nothing(reports.all);
  const pending = [...output.pending, ...world.pending()];
  return { ...output, entries: world.entriesOf(output), pending, reports: reports.all, sets: world.rendered() };
}

/** A package as RGDs see it: what ResourceSets make stands in their place. What is wrong with them is reported. */
export function packageForRgds(
  input: RenderInput,
  options: RenderOptions,
  reports: Collector,
): { input: RenderInput; sets: SetSurvey } {
  if (!mayHoldSets(input.objects)) return { input, sets: surveySets([]) };
  const objects = flattenObjects(input.objects.map(coerced), reports);
  const sets = objects.filter((one) => isSetEntry(one) && annotationOf(one.object, OBSERVED) !== 'true');
  const world = new World(objects, sets, input, options, reports);
  for (const one of sets) world.expand(one, 0);
  return { input: world.forRgds(), sets: world.survey() };
}

class World {
  /** By the input of a ResourceSet, whether it stands in the package or was rendered. */
  private readonly expanded = new Map<InputObject, ExpandedSet>();
  /** What sets made, as inputs of the rendering of RGDs. */
  private readonly made = new Map<ValueMap, InputObject>();
  /** The inputs of sets that were rendered by RGDs or by other sets, by their object. */
  private readonly nested = new Map<KubeObject, InputObject>();
  private readonly nestedByIdentity = new Map<string, InputObject>();
  /** The objects that sets made, with their order written into them. */
  private readonly ordered = new Map<KubeObject, KubeObject>();
  private readonly toldOfOrder = new Set<string>();
  private readonly around: Surroundings;

  constructor(
    private readonly objects: readonly InputObject[],
    private readonly sets: readonly InputObject[],
    private readonly input: RenderInput,
    private readonly options: RenderOptions,
    private readonly reports: Collector,
  ) {
    this.around = { ...surroundingsOf(objects, sets, input, reports), budget: new RenderBudget(options) };
  }

  /** Renders a set, and the sets that it renders. */
  expand(set: InputObject, depth: number): void {
    if (depth > MAX_DEPTH) {
      const message = `ResourceSets and RGDs render one another more than ${MAX_DEPTH} deep`;
      reporterFor(set, this.reports).report({ code: 'nesting-too-deep', message, path: [] });
      return;
    }
    const expanded = expandSet(set, this.around, this.options, this.reports);
    this.expanded.set(set, expanded);
    for (const { object, path } of expanded.made) {
      const source = set.source && { ...set.source, path: [...set.source.path, ...path] };
      const secret = set.secret && { secret: 'name' as const };
      const made: InputObject = { object: object as KubeObject, ...(source && { source }), ...secret };
      this.made.set(object, made);
      if (isWhole(object) && isResourceSet(object)) {
        this.nested.set(object, made);
        this.expand(made, depth + 1);
      }
    }
  }

  /** Renders RGDs, and sets that they render, until nothing new comes up. */
  settle<Rest extends Output>(renderRgds: RenderRgds<Rest>): Rest | undefined {
    for (let round = 0; ; round++) {
      const output = renderRgds(this.forRgds(), this.order());
      const found = output.entries.flatMap(({ rendered, input }) =>
        rendered.filter(isSetEntry).map((one) => ({ one, input })),
      );
      const fresh = found.filter(({ one }) => !this.isKnown(one.object));
      if (fresh.length === 0 || hasErrors(output.reports)) {
        this.reports.addAll(output.reports);
        return output;
      }
      for (const { one, input } of fresh) this.adopt(one, input, round + 1, output.secretOf?.(one.object));
      if (this.reports.hasErrors) return undefined;
    }
  }

  private order(): Parameters<RenderRgds<Output>>[1] {
    const { order } = this.options;
    const sets = order === 'none' ? [] : [...this.expanded.values()];
    return {
      ...orderOfSets(sets, this.objects, this.toldOfOrder, this.reports),
      ordered: (object, annotated) => this.ordered.set(object, annotated),
    };
  }

  private isKnown(object: KubeObject): boolean {
    const known = this.nestedByIdentity.get(identityOf(object));
    if (known !== undefined) this.nested.set(object, known);
    return known !== undefined;
  }

  private adopt({ object }: Rendered, { source }: InputObject, depth: number, secret: InputObject['secret']): void {
    const set: InputObject = { object, ...(source && { source }), ...(secret && { secret }) };
    this.nested.set(object, set);
    this.nestedByIdentity.set(identityOf(object), set);
    this.expand(set, depth);
  }

  /** The package as RGDs see it: without sets, with what they made. */
  forRgds(): RenderInput {
    const isSet = new Set(this.sets);
    const providers = new Set([...this.expanded.values()].flatMap(({ used }) => used));
    const own = this.objects.filter((one) => !isSet.has(one) && !providers.has(one));
    const made = [...this.made.values()].filter(({ object }) => isWhole(object) && !isResourceSet(object));
    const definitions = (this.input.definitions ?? []).filter(
      ({ object }) => !(isKubeObject(object) && isInputProvider(object)),
    );
    return { ...this.input, objects: [...own, ...made], definitions };
  }

  /** An object of a set and any other one cannot have one identity. */
  refuseCollisions(output: Output): void {
    const owners = new Map<string, string>();
    for (const { input, place, made } of this.expanded.values()) {
      for (const { object, path } of made) {
        const identity = identityOf(object);
        const owner = owners.get(identity);
        if (owner === undefined) owners.set(identity, `ResourceSet/${place.name}`);
        else this.collide(input, path, identity, owner);
      }
    }
    const made = new Set<ValueMap>(this.made.keys());
    for (const { input, role, rendered } of output.entries) {
      const others =
        role === 'other' && !made.has(input.object) ? [input.object] : rendered.map(({ object }) => object);
      for (const object of others) {
        const owner = owners.get(identityOf(object));
        if (owner !== undefined) this.collide(input, [], identityOf(object), owner);
      }
    }
  }

  private collide(input: InputObject, path: readonly (string | number)[], identity: string, owner: string): void {
    const [, kind, , name] = identity.split('/');
    const message = `${owner} makes ${kind}/${name} too`;
    reporterFor(input, this.reports).report({ code: 'identity-collision', message, path });
  }

  survey(): SetSurvey {
    return surveySets([...this.expanded.values()]);
  }

  /** Every ResourceSet, those that were rendered themselves too. */
  rendered(): ExpandedSet[] {
    return [...this.expanded.values()];
  }

  pending(): { instanceId: string; node: string }[] {
    return [...this.expanded.values()]
      .filter(({ waiting, passedThrough }) => waiting.length > 0 && !passedThrough)
      .map(({ id }) => ({ instanceId: id, node: INPUTS }));
  }

  /** One entry for each object of the package, with what sets made in their place. */
  entriesOf(output: Output): Entry[] {
    // Reading makes new inputs of the same objects.
    const byObject: ByObject = new Map(output.entries.map((entry) => [entry.input.object, entry]));
    const used = new Set([...this.expanded.values()].flatMap((one) => (one.passedThrough ? [] : one.used)));
    return this.objects.map((input): Entry => {
      const set = this.expanded.get(input);
      if (set !== undefined) {
        const { passedThrough } = set;
        return {
          input,
          role: 'instance',
          rendered: passedThrough ? [] : this.renderedBy(set, byObject),
          passedThrough,
        };
      }
      if (used.has(input)) return { input, role: 'observed', rendered: [], passedThrough: false };
      const entry = byObject.get(input.object);
      if (entry === undefined) return { input, role: 'other', rendered: [], passedThrough: false };
      return { ...entry, rendered: entry.rendered.flatMap((one) => this.inPlace(one, byObject)) };
    });
  }

  private renderedBy({ input, made, id }: ExpandedSet, byObject: ByObject): Rendered[] {
    return made.flatMap(({ object, path }) => {
      const template = { input, path };
      const rendered: Rendered = { object: object as KubeObject, instanceId: id, node: 'resources', template };
      const entry = byObject.get(rendered.object);
      if (entry?.role === 'instance' && !entry.passedThrough) {
        return entry.rendered.flatMap((one) => this.inPlace(one, byObject));
      }
      return this.inPlace(rendered, byObject);
    });
  }

  /** A rendered object, or what it was rendered to if it is a set. */
  private inPlace(one: Rendered, byObject: ByObject): Rendered[] {
    const input = this.nested.get(one.object);
    const set = input === undefined ? undefined : this.expanded.get(input);
    if (set !== undefined && !set.passedThrough) return this.renderedBy(set, byObject);
    const object = this.ordered.get(one.object);
    return [object === undefined ? one : { ...one, object }];
  }
}

type ByObject = ReadonlyMap<KubeObject, Entry>;

const isWhole = (object: ValueMap): object is KubeObject =>
  typeof object.apiVersion === 'string' && object.apiVersion !== '' && typeof object.kind === 'string';

function surroundingsOf(
  objects: readonly InputObject[],
  sets: readonly InputObject[],
  input: RenderInput,
  reports: Collector,
): Omit<Surroundings, 'budget'> {
  const definitions = objectsIn((input.definitions ?? []).map(coerced));
  refuseStrangers(definitions, reports);
  const own = [...objects, ...definitions].filter(({ object }) => isInputProvider(object));
  const isLive = ({ object }: InputObject): boolean => annotationOf(object, OBSERVED) === 'true';
  const observed = [...own.filter(isLive), ...objectsIn(input.observed ?? [])];
  const providers = {
    written: own.filter((one) => !isLive(one)),
    observed: observed.filter(({ object }) => isInputProvider(object)),
  };
  const given: Value | undefined = input.inputSets?.value;
  if (given !== undefined && sets.length > 1) {
    const message = `--inputs-from gives the inputs of one ResourceSet, and the input holds ${sets.length}`;
    const hint = 'write a ResourceSetInputProvider of type Static, and name it in spec.inputsFrom';
    reporterFor(sets[0] as InputObject, reports).report({ code: 'inputs-file', message, path: [], hint });
  }
  return given === undefined ? { providers } : { providers, inputs: given };
}

/** In a file of providers, what is none was meant as one. */
function refuseStrangers(definitions: readonly InputObject[], reports: Collector): void {
  const files = new Set(definitions.filter(({ object }) => isInputProvider(object)).map(({ source }) => source?.text));
  files.delete(undefined);
  for (const one of definitions) {
    if (!files.has(one.source?.text) || isInputProvider(one.object) || !isPlain(one.object)) continue;
    const message = `the file holds ResourceSetInputProviders, and this is a ${one.object.kind} of ${one.object.apiVersion}`;
    const hint = 'mend its apiVersion and kind, or move it to another file';
    reporterFor(one, reports).report({ code: 'provider-kind', message, path: ['kind'], hint });
  }
}

/** What --definitions is for otherwise: RGDs and CRDs. */
const isPlain = ({ kind }: KubeObject): boolean =>
  kind !== 'ResourceGraphDefinition' && kind !== 'CustomResourceDefinition';
