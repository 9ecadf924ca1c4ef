/** Validates a package in parts that have no effect on each other, and only those that a change can reach. */

import { Collector, type Report } from '../../core/diagnostics/index.ts';
import { type Evidence, NO_EVIDENCE } from '../../core/ledger/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import { MAX_MULTIPLIED } from '../../core/model/limits.ts';
import type { Document, InputObject, KubeObject } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { kro } from '../../kro/front-end.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { fileKey, partsOfKustomizations } from '../../kubernetes/kustomization/index.ts';
import { builtinKinds, type KindRegistry, kindsOf } from '../../kubernetes/schema/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { foldReports, reportOthers, reportSubstitution, validatePackage } from '../validate/index.ts';
import { Division, type DocumentGroup, type PackageDocument, packageDocuments } from './division.ts';
import {
  type DividedOptions,
  type Part,
  type PartDocument,
  partAt,
  renderedCounts,
  traceText,
  validatePart,
} from './part.ts';
import { FoundRelations } from './relations.ts';

export { documentFacts } from './facts.ts';
export type { DividedOptions } from './part.ts';

/** The result of a validation in parts: that of the whole package. */
export interface DividedValidation {
  reports: readonly Report[];
  evidence: Evidence;
  /** The valid RGDs by the kinds that they define. */
  graphs: Graphs;
  kinds: KindRegistry;
  /** The number of objects that were rendered for each object of a front end. */
  rendered: ReadonlyMap<KubeObject, number>;
  /** What the next validation of the package can use again. */
  parts: KnownParts;
  /** The number of documents that were validated, and not known from the validation before. */
  validated: number;
}

/** The parts of a validated package. */
export interface KnownParts {
  readonly all: readonly Part[];
  /** The division of the package, with the part of each group; undefined if it was validated as a whole. */
  readonly divided: { division: Division; byGroup: ReadonlyMap<DocumentGroup, Part> } | undefined;
}

const NO_PARTS: KnownParts = { all: [], divided: undefined };

/** The number of divisions of a package before it is validated as a whole. */
const MAX_ROUNDS = 8;

/**
 * Validates a package as `validatePackage` does. Documents that can have no effect on each other are validated apart, and
 * the results for unchanged documents, which are in `before`, are used again. Unlike a whole validation it has no limit
 * for the diagnostics of all parts together.
 */
export function validateInParts(
  input: RenderInput,
  options: DividedOptions,
  before: KnownParts = NO_PARTS,
): DividedValidation {
  const documents = packageDocuments(input.objects, input.definitions ?? []);
  const last = before.divided?.division;
  const division = last?.fits(documents) ? last : new Division(documents);
  if (division.isWhole || (input.policies ?? []).length > 0) return validateWhole(input, options);
  return new PartWork(input, options, { division, documents }, before).run() ?? validateWhole(input, options);
}

function validateWhole(input: RenderInput, { frontEnds, also, ...options }: DividedOptions): DividedValidation {
  const { reports, rendering, evidence } = validatePackage(input, options, frontEnds);
  const session = rendering.of(kro);
  return {
    reports: [...reports, ...(also?.(input) ?? [])],
    evidence,
    graphs: session?.graphs ?? new Map(),
    kinds: session?.kinds ?? builtinKinds,
    rendered: renderedCounts(rendering, () => true),
    parts: NO_PARTS,
    validated: input.objects.length + (input.definitions?.length ?? 0),
  };
}

/** Returns the evidence of all parts together. */
function sumOf(parts: readonly Part[]): Evidence {
  const all = parts.map(({ findings }) => findings.evidence);
  const total = (count: (one: Evidence) => number): number => all.reduce((sum, one) => sum + count(one), 0);
  return {
    ...NO_EVIDENCE,
    documents: all.flatMap(({ documents }) => documents),
    given: all.flatMap(({ given }) => given),
    rendered: { all: total(({ rendered }) => rendered.all), named: all.flatMap(({ rendered }) => rendered.named) },
    opaque: total(({ opaque }) => opaque),
    pending: total(({ pending }) => pending),
  };
}

const FLUX_KUSTOMIZATION = 'Kustomization.kustomize.toolkit.fluxcd.io';

function areSame(one: PartDocument, other: PartDocument | undefined, isByText: boolean): boolean {
  return (
    other !== undefined &&
    (!isByText || one.document.source?.text === other.document.source?.text) &&
    one.document.object === other.document.object &&
    one.document.source?.file === other.document.source?.file &&
    one.isDefinition === other.isDefinition &&
    one.isContext === other.isContext &&
    one.isPart === other.isPart
  );
}

/** One validation of a package in parts. */
class PartWork {
  readonly #input: RenderInput;
  readonly #options: DividedOptions;
  readonly #division: Division;
  readonly #documents: readonly PackageDocument[];
  readonly #last: ReadonlyMap<DocumentGroup, Part> | undefined;
  readonly #byGroup = new Map<DocumentGroup, Part>();
  /** The files that kustomizations use as patches, functions or data. */
  readonly #kustomized: ReadonlySet<string>;
  /** The known parts by the value of their first document. */
  readonly #known = new Map<unknown, Part[]>();
  readonly #used = new Set<Part>();
  #validated = 0;

  constructor(
    input: RenderInput,
    options: DividedOptions,
    { division, documents }: { division: Division; documents: readonly PackageDocument[] },
    before: KnownParts,
  ) {
    this.#input = input;
    this.#options = options;
    this.#division = division;
    this.#documents = documents;
    this.#kustomized = partsOfKustomizations(input.objects);
    const isUnused = this.#kustomized.size === 0;
    this.#last = isUnused && before.divided?.division === division ? before.divided.byGroup : undefined;
    for (const part of before.all) this.#remember(part);
  }

  /** Returns `undefined` if the package has to be validated as a whole. */
  run(): DividedValidation | undefined {
    const relations = new FoundRelations();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const groups = this.#division.groups(relations);
      const parts = groups.map((group) => this.#partOf(group));
      if (!relations.add(groups, parts)) return this.#joined(parts);
    }
    return undefined;
  }

  #remember(part: Part): void {
    addTo(this.#known, part.documents[0]?.document.object, part);
  }

  #partOf(group: DocumentGroup): Part {
    const last = this.#last?.get(group);
    const part = last !== undefined && this.#isUnchanged(last, group) ? last : this.#findPart(group);
    this.#byGroup.set(group, part);
    this.#used.add(part);
    return part;
  }

  /** Reports whether a part of the same group has the same documents, at the same positions. */
  #isUnchanged(part: Part, { members }: DocumentGroup): boolean {
    const isSame = part.documents.every(
      ({ document, isPart }, index) => !isPart && document === this.#documents[members[index] as number]?.document,
    );
    return isSame && this.#hasSameTraces(part);
  }

  #hasSameTraces({ traces }: Part): boolean {
    return [...traces].every(([kind, answer]) => traceText(this.#input.traceFor?.(kind)) === answer);
  }

  #findPart(group: DocumentGroup): Part {
    const documents = group.members.map((index) => this.#documentAt(index, group));
    const known = this.#known.get(documents[0]?.document.object)?.find((part) => this.#holds(part, documents));
    const part = known === undefined ? this.#validate(documents) : partAt(known, documents);
    if (part !== known) this.#remember(part);
    return part;
  }

  #documentAt(index: number, { context }: DocumentGroup): PartDocument {
    const found = this.#documents[index];
    if (found === undefined) throw new RangeError(`there is no document ${index}`);
    const { document, isDefinition } = found;
    const { source } = document;
    const isPart = this.#kustomized.size > 0 && source !== undefined && this.#kustomized.has(fileKey(source.file));
    return { document, isDefinition, isContext: context.has(index), isPart };
  }

  #holds(part: Part, documents: readonly PartDocument[]): boolean {
    if (part.documents.length !== documents.length) return false;
    // A text that cannot be read explains other diagnostics by its words.
    const isByText = part.contacts.unreadTexts.size > 0;
    const isSame = part.documents.every((one, index) => areSame(one, documents[index], isByText));
    return isSame && this.#hasSameTraces(part);
  }

  #validate(documents: readonly PartDocument[]): Part {
    this.#validated += documents.length;
    return validatePart(documents, this.#input, this.#options, this.#kustomized);
  }

  #joined(parts: readonly Part[]): DividedValidation | undefined {
    const graphs = new Map<string, Graph>();
    const rendered = new Map<KubeObject, number>();
    const reports: Report[] = [];
    let multiplied = 0;
    for (const { findings } of parts) {
      for (const report of findings.reports) reports.push(report);
      for (const [object, count] of findings.rendered) rendered.set(object, count);
      for (const [kind, graph] of findings.graphs) {
        graphs.set(kind, graph);
        multiplied += graph.multiplied;
      }
    }
    if (multiplied > MAX_MULTIPLIED) return undefined;
    return {
      reports: foldReports([...reports, ...this.#reportsOfAll(parts)]),
      evidence: sumOf(parts),
      graphs,
      kinds: this.#kinds(),
      rendered,
      parts: { all: [...this.#used], divided: { division: this.#division, byGroup: this.#byGroup } },
      validated: this.#validated,
    };
  }

  /** Returns the reports about several parts. */
  #reportsOfAll(parts: readonly Part[]): readonly Report[] {
    const reports = new Collector();
    const others = parts.map(({ findings }) => findings.otherPolicies);
    const beside = this.#inOrder(others.flatMap((one) => one.beside));
    const written = this.#inOrder(others.flatMap((one) => one.written));
    const rendered = others.flatMap((one) => one.rendered);
    reportOthers([...beside, ...written, ...rendered], reports);
    const substitutes = this.#documents.some(({ facts }) => facts.objects.includes(FLUX_KUSTOMIZATION));
    if (substitutes) reportSubstitution(objectsIn(this.#input.objects), reports);
    return reports.all;
  }

  /** Returns objects in the order of the package. */
  #inOrder(inputs: readonly InputObject[]): readonly InputObject[] {
    if (inputs.length < 2) return inputs;
    const placeOf = ({ source }: Document): string => `${source?.document} ${source?.file}`;
    const places = new Map(this.#documents.map(({ document }, index) => [placeOf(document), index]));
    return inputs.toSorted((a, b) => (places.get(placeOf(a)) ?? 0) - (places.get(placeOf(b)) ?? 0));
  }

  #kinds(): KindRegistry {
    const { openapi } = this.#input;
    const crds = this.#documents.filter(({ facts }) => facts.describes.length > 0);
    const objects = objectsIn(crds.map(({ document }) => document)).filter(({ object }) => roleOf(object) === 'crd');
    return kindsOf(objects, openapi, this.#options.kubernetes, new Collector());
  }
}
