import { codes, isError, isPending, type Report } from '../../core/diagnostics/index.ts';
import type { Entry, Evidence } from '../../core/ledger/index.ts';
import { type Document, groupKindOf, type KubeObject, type Source } from '../../core/model/object.ts';
import type { RenderInput, Trace } from '../../core/model/render.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import type { World } from '../../kro/expand/index.ts';
import { kro } from '../../kro/front-end.ts';
import type { FrontEnd } from '../../kubernetes/front-end/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import type { Rendering } from '../../render/pipeline.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import {
  type ObjectsValidation,
  type OtherPolicies,
  otherPoliciesIn,
  partTest,
  type ValidateOptions,
  validateObjects,
} from '../validate/index.ts';

export interface DividedOptions extends ValidateOptions {
  /** The template languages; defaults to all of them. */
  frontEnds?: readonly FrontEnd[] | undefined;
  /** Returns further reports about some objects of the package. */
  also?: ((input: RenderInput) => readonly Report[]) | undefined;
}

/** The results of a validation about the documents of a part itself. */
interface Findings {
  reports: readonly Report[];
  evidence: Evidence;
  /** The valid RGDs by the kinds that they define. */
  graphs: ReadonlyMap<string, Graph>;
  /** The number of objects that were rendered for each object of a front end. */
  rendered: ReadonlyMap<KubeObject, number>;
  otherPolicies: OtherPolicies;
}

/** What a part may have to do with other parts of the package. */
interface Contacts {
  /** The identities of the objects that its nodes render, or would render. */
  claims: ReadonlySet<string>;
  /** Its objects that are no RGDs. */
  written: readonly WrittenObject[];
  looksUp: Pick<World['lookups'], 'identities' | 'kinds'>;
  /** The kinds, without groups, of its objects that no RGD defines. */
  undefinedKinds: ReadonlySet<string>;
  /** The texts with documents that cannot be read; undefined for one that is not known. */
  unreadTexts: ReadonlySet<string | undefined>;
}

/** An object that a person wrote, by the position of its document in a part. */
interface WrittenObject {
  readonly identity: string;
  readonly kind: string;
  readonly at: number;
}

/** Documents with the results of their validation, which hold as long as the documents and the answers are the same. */
export interface Part {
  readonly documents: readonly PartDocument[];
  /** The questions about traces of kinds, with the answers. */
  readonly traces: ReadonlyMap<string, string>;
  readonly findings: Findings;
  readonly contacts: Contacts;
}

/** A document of a part, and what decides over its validation besides its value. */
export interface PartDocument {
  readonly document: Document;
  /** It is read for its definitions, and not applied. */
  readonly isDefinition: boolean;
  /** It belongs to another part, which supplies its diagnostics. */
  readonly isContext: boolean;
  /** A kustomization uses its file as a patch, as a function or as data. */
  readonly isPart: boolean;
}

/** Validates the documents of a part. `kustomized` are the files that kustomizations use as something else. */
export function validatePart(
  documents: readonly PartDocument[],
  given: RenderInput,
  options: DividedOptions,
  kustomized: ReadonlySet<string>,
): Part {
  const traces = new Map<string, string>();
  const input: RenderInput = {
    ...given,
    objects: documents.filter(({ isDefinition }) => !isDefinition).map(({ document }) => document),
    definitions: documents.filter(({ isDefinition }) => isDefinition).map(({ document }) => document),
    traceFor(kind) {
      const trace = given.traceFor?.(kind);
      traces.set(kind, traceText(trace));
      return trace;
    },
  };
  const { frontEnds = FRONT_ENDS, also, ...asked } = options;
  const isOwn = ownTest(documents);
  const isPart = partTest(kustomized);
  const validation = validateObjects(input, asked, frontEnds, {
    // Another part checks the plain objects that belong to it.
    isPart: (one) => isPart(one) || !isOwn(one.source),
    checkTogether: () => ({ all: 0, named: [] }),
  });
  const reports = [...validation.reports, ...(also?.(input) ?? [])];
  return {
    documents,
    traces,
    findings: findingsOf(
      validation,
      reports.filter(({ source }) => isOwn(source)),
      input,
      isOwn,
    ),
    contacts: contactsOf(validation, documents),
  };
}

/** Returns an answer about a trace as a text, to compare it. */
export const traceText = (trace: Trace | undefined): string => JSON.stringify(trace ?? null);

type OwnTest = (place: Pick<Source, 'file' | 'document'> | undefined) => boolean;

const placeKey = ({ file, document }: Pick<Source, 'file' | 'document'>): string => `${document} ${file}`;

/** Returns a test for places that are not in the documents of other parts. */
function ownTest(documents: readonly PartDocument[]): OwnTest {
  const others = new Set(
    documents.flatMap(({ document, isContext }) =>
      isContext && document.source !== undefined ? placeKey(document.source) : [],
    ),
  );
  return (place) => others.size === 0 || place === undefined || !others.has(placeKey(place));
}

function findingsOf(
  { evidence, rendering }: ObjectsValidation,
  reports: readonly Report[],
  input: RenderInput,
  isOwn: OwnTest,
): Findings {
  const graphs = [...(rendering.of(kro)?.graphs ?? [])].filter(([, graph]) => isOwn(graph.input.source));
  return {
    reports,
    evidence: ownEvidence(evidence, reports, isOwn),
    graphs: new Map(graphs),
    rendered: renderedCounts(rendering, isOwn),
    otherPolicies: otherPoliciesIn(input, rendering),
  };
}

function ownEvidence(evidence: Evidence, reports: readonly Report[], isOwn: OwnTest): Evidence {
  const own = (entries: readonly Entry[]): readonly Entry[] =>
    entries.filter(({ file, document = 0 }) => file === undefined || isOwn({ file, document }));
  return {
    ...evidence,
    documents: own(evidence.documents),
    given: own(evidence.given),
    pending: reports.filter(({ code }) => isPending({ code }) && code !== 'pending-reader').length,
  };
}

/** Returns the number of objects that were rendered for each object of a front end. */
export function renderedCounts(rendering: Rendering, isOwn: OwnTest): Map<KubeObject, number> {
  const counts = new Map<KubeObject, number>();
  for (const session of rendering.sessions) {
    for (const [object, { role, input, rendered }] of session.outcomes) {
      if (role !== 'rgd' && isOwn(input.source)) counts.set(object, rendered.length);
    }
  }
  return counts;
}

function contactsOf({ worlds, rendering, reports }: ObjectsValidation, documents: readonly PartDocument[]): Contacts {
  const claims = new Set<string>();
  const looksUp = { identities: new Set<string>(), kinds: new Set<string>() };
  for (const { objects, lookups } of worlds) {
    for (const key of objects.makers.keys()) claims.add(key);
    for (const key of objects.nested.keys()) claims.add(key);
    for (const key of lookups.taken) claims.add(key);
    for (const key of lookups.identities) looksUp.identities.add(key);
    for (const kind of lookups.kinds) looksUp.kinds.add(kind);
  }
  const session = rendering.of(kro);
  const written = documents.flatMap(({ document, isContext }, at): WrittenObject[] => {
    if (isContext) return [];
    return objectsIn([document]).flatMap(({ object }) =>
      session === undefined || isRgd(object)
        ? []
        : { identity: session.placedIdentity(object), kind: groupKindOf(object), at },
    );
  });
  const unread = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  return {
    claims,
    written,
    looksUp,
    undefinedKinds: new Set(
      reports.filter(({ code }) => code === 'undefined-kind').map(({ subject }) => subject?.kind ?? ''),
    ),
    unreadTexts: new Set(unread.map(({ source }) => source?.text)),
  };
}

/** Returns a part for documents with the same values, which may be at other positions of their files. */
export function partAt(part: Part, documents: readonly PartDocument[]): Part {
  const moved = new Map<string, Source>();
  for (const [index, { document }] of part.documents.entries()) {
    const now = documents[index]?.document.source;
    const { source } = document;
    if (source === undefined || now === undefined) continue;
    if (source.text !== now.text || source.document !== now.document) moved.set(placeKey(source), now);
  }
  if (moved.size === 0) return part;
  const sourceAt = <T extends Source | undefined>(source: T): T => {
    const now = source === undefined ? undefined : moved.get(placeKey(source));
    return now === undefined ? source : ({ ...source, text: now.text, document: now.document } as T);
  };
  return { ...part, documents, findings: findingsAt(part.findings, sourceAt) };
}

function findingsAt(findings: Findings, sourceAt: <T extends Source | undefined>(source: T) => T): Findings {
  const { reports, evidence, graphs, otherPolicies } = findings;
  const inputAt = <T extends { source?: Source | undefined }>(input: T): T => ({
    ...input,
    source: sourceAt(input.source),
  });
  const entryAt = (entry: Entry): Entry => {
    const { file, document = 0 } = entry;
    const place = file === undefined ? undefined : sourceAt({ file, document, text: '', path: [] });
    return { ...entry, document: place?.document ?? entry.document };
  };
  return {
    ...findings,
    reports: reports.map((report) => ({
      ...report,
      source: sourceAt(report.source),
      instance: sourceAt(report.instance),
      related: report.related?.map((one) => ({ ...one, source: sourceAt(one.source) })),
    })),
    evidence: { ...evidence, documents: evidence.documents.map(entryAt), given: evidence.given.map(entryAt) },
    graphs: new Map([...graphs].map(([kind, graph]) => [kind, { ...graph, input: inputAt(graph.input) }])),
    otherPolicies: {
      beside: otherPolicies.beside.map(inputAt),
      written: otherPolicies.written.map(inputAt),
      rendered: otherPolicies.rendered,
    },
  };
}
