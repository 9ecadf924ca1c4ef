import { Collector, type Diagnostic, hasErrors, isPending, type Report } from '../../core/diagnostics/index.ts';
import { type Counted, type Evidence, NO_EVIDENCE } from '../../core/ledger/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import {
  groupKind,
  groupKindOf,
  type InputObject,
  type KubeObject,
  placeOfSource,
  textsByFile,
  titleOf,
} from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { flux } from '../../flux/index.ts';
import { graph } from '../../graph/index.ts';
import { definedKinds } from '../../kro/definition/index.ts';
import { type Expansion, type World, withNested } from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { type FrontEnd, withFrontEnd } from '../../kubernetes/front-end/index.ts';
import { fileKey, partsOfKustomizations } from '../../kubernetes/kustomization/index.ts';
import { builtinKinds, type KindRegistry } from '../../kubernetes/schema/index.ts';
import { applying, refuseIncomplete } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { readDocuments } from '../documents/index.ts';
import { createLinter, lintSets } from '../lint/index.ts';
import { type FileReport, unreadReports } from '../reports/index.ts';
import { plainObjects, templatesOf } from './applied.ts';
import { givenEntries, placesWith, type RenderedTally, type Seen, unseenEntry } from './evidence.ts';
import { checkKnownParts } from './known-parts.ts';
import { checkLiterals } from './literals.ts';
import { createNodeObjects } from './objects.ts';
import { checkPlainObjects } from './plain.ts';
import { checkPolicies, type PolicyOptions } from './policies.ts';
import { checkQuotas } from './quotas.ts';
import { reportSubstitution } from './substitution.ts';

export { placesWith, withFiles } from './evidence.ts';
export { OF_OBJECTS } from './known-parts.ts';
export { createCheck, createItemCheck, type ItemCheck, type ObjectCheck } from './objects.ts';
export { checkPolicies, type OtherPolicies, otherPoliciesIn, reportOthers } from './policies.ts';
export { exceededQuotas } from './quotas.ts';
export { reportSubstitution } from './substitution.ts';

export interface ValidateOptions extends PolicyOptions {
  disable?: readonly string[];
  /** Caches the results of compiling RGDs, for further validations of the same parsed objects. */
  keeps?: boolean;
}

/** What a validation found, and what it looked at. */
export interface Validation {
  reports: readonly Report[];
  rendering: Rendering;
  evidence: Evidence;
}

/** Reports every error of a package: none hides others, pending values are infos, missing objects warnings. */
export function validatePackage(
  input: RenderInput,
  options: ValidateOptions,
  frontEnds: readonly FrontEnd[] = FRONT_ENDS,
): Validation {
  const isPart = partTest(partsOfKustomizations(input.objects));
  const { reports, rendering, evidence } = validateObjects(input, options, frontEnds, {
    isPart,
    checkTogether(output, found) {
      const policies = checkPolicies(input, options, output, found);
      checkQuotas(output, options.namespace, found);
      reportSubstitution(readDocuments(input.objects).objects, found);
      return policies;
    },
  });
  return { reports: foldReports(reports), rendering, evidence };
}

/** What a validation of objects knows of the rest of their package, and does with it. */
export interface Surroundings {
  /** Reports whether an object is of a file that a kustomization uses as a patch, as a function or as data. */
  isPart(input: InputObject): boolean;
  /** Checks what concerns objects of a whole package; returns the decisions of its policies. */
  checkTogether(output: Rendering, reports: Collector): Counted;
}

/** The validation of objects, before its reports are folded. */
export interface ObjectsValidation extends Validation {
  /** What the instances of RGDs shared while they were expanded, also with marks in the place of pending values. */
  worlds: readonly World[];
}

/** Validates the objects of a package, or of a part of it that has no effect on the others. */
export function validateObjects(
  input: RenderInput,
  { disable = [], keeps = false, ...options }: ValidateOptions,
  frontEnds: readonly FrontEnd[],
  { isPart, checkTogether }: Surroundings,
): ObjectsValidation {
  const reports = new Collector();
  const worlds: World[] = [];
  const asked: RenderOptions = { ...options, onPending: 'skip', order: 'none' };
  const linter = createLinter();
  const listening = withFrontEnd(kroWith(linter.onExpression, keeps), frontEnds);
  const output = renderWithSessions({ undescribed: 'warning', ...input }, asked, listening);
  reports.addAll(output.reports);
  refuseIncomplete(output.entries, applying('API servers reject an object without it'), reports);
  const rgds = output.of(kro);
  const rendered: RenderedTally = { all: 0, named: [] };
  const nodeObjects = createNodeObjects(asked);
  const hasPending = output.reports.some(isPending);
  const checkExpansion = (expansion: Expansion, kinds: KindRegistry): void => {
    worlds.push(expansion.world);
    nodeObjects.check(expansion, kinds, rendered);
    if (hasPending) worlds.push(checkKnownParts(expansion, kinds, { nodeObjects, rendered, reports }).world);
  };
  if (rgds?.expansion !== undefined) {
    const { pack, graphs, kinds, expansion } = rgds;
    const nested = expansion.runs.flatMap(withNested).map(({ instance }) => instance);
    const objects = [...pack.candidates.map(({ object }) => object), ...nested];
    linter.lint({ definitions: pack.definitions, graphs, objects, release: kinds.release }, disable, reports);
    checkExpansion(expansion, kinds);
    checkLiterals(graphs.values(), expansion.runs.flatMap(withNested), reports);
  }
  const graphs = output.of(graph);
  for (const one of graphs?.expansions ?? []) checkExpansion(one, graphs?.kinds ?? builtinKinds);
  nodeObjects.report(reports);
  const { objects: own, others } = readDocuments(input.objects);
  const plain = plainObjects(own, output).filter((one) => !isPart(one.input));
  const sets = output.of(flux);
  const templated = sets === undefined ? [] : templatesOf(sets, output);
  const undefinedKinds = placesWith('undefined-kind', reports.all);
  const unservedKinds = placesWith('api-removed', reports.all);
  const checked = new Set<KubeObject>();
  const beside = readDocuments(input.definitions ?? []);
  const definitions = beside.objects;
  const defined = new Set(definedKinds([...own, ...definitions]).map(groupKind));
  const isDefined = (object: KubeObject): boolean => defined.has(groupKindOf(object));
  const { opaque, reached, ambiguous } = checkPlainObjects([...plain, ...templated], {
    kinds: rgds?.kinds ?? builtinKinds,
    crds: rgds?.pack.crds.map(({ object }) => object) ?? [],
    options: asked,
    disable,
    isReported: ({ source, object }) =>
      isDefined(object) || undefinedKinds.has(placeOfSource(source)) || unservedKinds.has(placeOfSource(source)),
    reports,
    checked,
  });
  for (const one of templated) {
    rendered.all += 1;
    const why = ambiguous.has(one.object) ? 'several-schemas' : 'no-schema';
    if (!checked.has(one.object)) rendered.named.push(unseenEntry(one, why));
  }
  const policies = checkTogether(output, reports);
  // Other inputs replace the written ones.
  if (input.inputSets === undefined && !hasErrors(reports.all)) {
    lintSets(flattenObjects(input.objects, new Collector()), disable, reports);
  }
  const isOfOthers = new Set(definitions);
  const unreached = new Set(plain.map(({ object }) => object).filter((object) => !reached.has(object)));
  const documents = [...others, ...beside.others];
  reports.addAll(unreadReports(documents, options.strict));
  const seen: Seen = {
    output,
    reports: reports.all,
    checked,
    isPart,
    isDefined,
    isUnreached: (object) => unreached.has(object),
    isAmbiguous: (object) => ambiguous.has(object),
    isDefinition: (one) => isOfOthers.has(one),
  };
  const evidence: Evidence = {
    ...NO_EVIDENCE,
    documents,
    given: givenEntries([...own, ...definitions], seen),
    rendered,
    policies,
    opaque,
    pending: reports.all.filter(({ code }) => isPending({ code }) && code !== 'pending-reader').length,
  };
  return { reports: reports.all, rendering: output, evidence, worlds };
}

/** Returns a test for objects of the files that kustomizations use, by the names of these files. */
export const partTest =
  (parts: ReadonlySet<string>): Surroundings['isPart'] =>
  ({ source }) =>
    source !== undefined && parts.size > 0 && parts.has(fileKey(source.file));

/** Converts reports for validation, which prints nothing: nodes that only read pending ones are infos. */
export function foldReports(reports: readonly Report[]): Report[] {
  return reports
    .filter(({ code }) => code !== 'no-instances' && code !== 'owner-reference')
    .map((report) => (report.code === 'pending-reader' ? { ...report, severity: 'info' } : report));
}

/** Reports whether a folded report is only a consequence of a pending value. */
export const isOnlyPending = (report: Report): boolean => isPending(report) && report.severity === 'info';

export const textsIn = ({ objects, definitions = [] }: RenderInput): Map<string, string> =>
  textsByFile([...objects, ...definitions]);

/** Returns what was checked, file by file in the order of reading: every object, and files with broken text. */
export function lookedAt(input: RenderInput, reports: readonly Report[]): FileReport[] {
  const files = new Map<string, string[]>();
  const objects = objectsIn([...input.objects, ...(input.definitions ?? [])]);
  for (const { object, source } of objects) {
    if (source !== undefined) addTo(files, source.file, titleOf(object));
  }
  for (const { source } of reports) if (source !== undefined && !files.has(source.file)) files.set(source.file, []);
  return [...files].map(([file, titles]) => ({ file, objects: titles }));
}

/** An expression that is not read explains other diagnostics of its file, and kro 0.10 rejects it. */
const isFirst = ({ code }: Diagnostic): number => Number(code === 'unclosed-expression');

/** Sorts diagnostics by file and position: those without a file first, unclosed expressions first in theirs. */
export function inFileOrder<T extends Diagnostic>(diagnostics: readonly T[], order: readonly string[]): T[] {
  const files = new Map<string | undefined, number>([[undefined, -1], ...order.map((file, at) => [file, at] as const)]);
  const rank = ({ file }: T): number => files.get(file) ?? files.size;
  return [...diagnostics].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      isFirst(b) - isFirst(a) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
