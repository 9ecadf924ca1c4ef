import {
  type Code,
  codes,
  HIDDEN,
  hiddenTitleOfRendered,
  isError,
  type Report,
  shownTitleOf,
  titleText,
  trusted,
} from '../../core/diagnostics/index.ts';
import {
  type Counted,
  type Entry,
  type Evidence,
  Ledger,
  type Outcome,
  type UnseenReason,
} from '../../core/ledger/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import {
  groupKindOf,
  type InputObject,
  isPassthrough,
  type KubeObject,
  placeOfSource,
} from '../../core/model/object.ts';
import { flux } from '../../flux/index.ts';
import { graph } from '../../graph/index.ts';
import { hiddenTitleOfNode } from '../../kro/expand/index.ts';
import { kro } from '../../kro/front-end.ts';
import { type FrontEnd, roleOf } from '../../kubernetes/front-end/index.ts';
import { isForCluster, isToolConfiguration } from '../../kubernetes/select/index.ts';
import type { Rendering } from '../../render/pipeline.ts';
import { type Applied, fileOfApplied } from './applied.ts';

/** What the steps of a validation saw. */
export interface Seen {
  output: Rendering;
  reports: readonly Report[];
  /** The plain and rendered objects that a schema checked. */
  checked: ReadonlySet<KubeObject>;
  /** The files that a kustomization uses as patches, functions or data. */
  isPart(input: InputObject): boolean;
  /** Reports whether an RGD of the package defines the kind of an object, also one with an error. */
  isDefined(object: KubeObject): boolean;
  /** Reports whether there were too many errors before the object was reached. */
  isUnreached(object: KubeObject): boolean;
  /** Reports whether some CRDs of its kind accept an object and others reject it. */
  isAmbiguous(object: KubeObject): boolean;
  /** Reports whether an object is read for its definitions, and not applied. */
  isDefinition(input: InputObject): boolean;
}

/** Returns the outcome of each object that was given. */
export function givenEntries(given: readonly InputObject[], seen: Seen): readonly Entry[] {
  const ledger = new Ledger<InputObject>();
  const places = placesOf(seen.reports);
  for (const input of given) {
    ledger.record(input, {
      unit: 'object',
      file: input.source?.file,
      document: input.source?.document,
      title: shownTitleOf(input),
      kind: trusted.definition(groupKindOf(input.object)),
      outcome: givenOutcome(input, seen, places),
    });
  }
  return ledger.entriesFor(given);
}

/** What is reported of the objects of a package. */
interface Places {
  failed: ReadonlySet<string>;
  undefinedKinds: ReadonlySet<string>;
}

const placesOf = (reports: readonly Report[]): Places => ({
  failed: new Set(
    reports.filter(isError).flatMap(({ source, instance }) => [placeOfSource(source), placeOfSource(instance)]),
  ),
  undefinedKinds: placesWith('undefined-kind', reports),
});

/** Returns the objects that reports of a code are about. */
export const placesWith = (code: Code, reports: readonly Report[]): ReadonlySet<string> =>
  new Set(reports.filter((report) => report.code === code).map(({ source }) => placeOfSource(source)));

function givenOutcome(input: InputObject, seen: Seen, { failed, undefinedKinds }: Places): Outcome {
  const place = placeOfSource(input.source);
  if (place !== '' && undefinedKinds.has(place)) return { is: 'unseen', why: 'no-definition' };
  const outcome = outcomeWithoutErrors(input, seen);
  const isReached = outcome.is === 'checked' || (outcome.is === 'unseen' && outcome.why === 'not-reached');
  return isReached && place !== '' && failed.has(place) ? { is: 'failed' } : outcome;
}

function outcomeWithoutErrors(input: InputObject, seen: Seen): Outcome {
  const { output, checked, isPart, isDefined, isDefinition, isUnreached, isAmbiguous } = seen;
  const { object } = input;
  const role = roleOf(object);
  if (role === 'observed') return { is: 'irrelevant', why: 'live-object' };
  const taken = takerOf(object, output);
  if (taken === 'passed-through') return { is: 'irrelevant', why: 'passed-through' };
  if (taken !== undefined) return { is: 'checked', by: taken };
  if (isPart(input)) return { is: 'irrelevant', why: 'part-of-kustomization' };
  if (isDefinition(input)) {
    return role === 'crd' ? { is: 'checked', by: 'schema' } : { is: 'irrelevant', why: 'definition' };
  }
  if (!isForCluster({ role, input })) return { is: 'irrelevant', why: 'runner-file' };
  if (checked.has(object)) return { is: 'checked', by: 'schema' };
  if (isToolConfiguration(object)) return { is: 'irrelevant', why: 'no-object' };
  if (isAmbiguous(object)) return { is: 'unseen', why: 'several-schemas' };
  return { is: 'unseen', why: isDefined(object) || isUnreached(object) ? 'not-reached' : 'no-schema' };
}

/** What a command knows of its files, which a validation does not see. */
export interface ReadFiles {
  /** The files that a walk met. */
  met: readonly Entry[];
  /** Templates of other tools that were passed over. */
  templates: readonly string[];
  /** What was reported while they were read. */
  reports: readonly Report[];
}

/** Returns an evidence with the outcomes of the files that were met, and of the documents that could not be parsed. */
export function withFiles(evidence: Evidence, { met, templates, reports }: ReadFiles): Evidence {
  const passedOver = new Set(templates);
  const files = met.map((entry): Entry => {
    const isTemplate = entry.file !== undefined && passedOver.has(entry.file);
    return isTemplate ? { ...entry, outcome: { is: 'unseen', why: 'template' } } : entry;
  });
  return { ...evidence, files, documents: [...evidence.documents, ...unparsedDocuments(reports)] };
}

/** Returns an entry for each document that is not valid YAML, of which there is nothing else. */
function unparsedDocuments(reports: readonly Report[]): Entry[] {
  const broken = reports.filter((report) => isError(report) && codes[report.code].stage === 'parse');
  const documents = groupBy(broken, ({ source }) => source && JSON.stringify([source.file, source.document]));
  return [...documents.values()].flatMap(([first]): Entry[] => {
    const file = first?.source?.file;
    if (file === undefined) return [];
    const title = trusted.file(file);
    return [{ unit: 'document', file, title, kind: title, outcome: { is: 'failed' } }];
  });
}

/** The front ends that check the objects which they take. */
const CHECKERS = [
  { by: 'kro', frontEnd: kro },
  { by: 'flux', frontEnd: flux },
  { by: 'graph', frontEnd: graph },
] as const satisfies readonly { by: 'kro' | 'flux' | 'graph'; frontEnd: FrontEnd }[];

/** Returns the front end that read an object as its own, and checked it. */
function takerOf(
  object: KubeObject,
  output: Rendering,
): (typeof CHECKERS)[number]['by'] | 'passed-through' | undefined {
  if (isPassthrough(object)) return 'passed-through';
  for (const { by, frontEnd } of CHECKERS) {
    const outcome = output.of(frontEnd as FrontEnd)?.outcomes.get(object);
    if (outcome !== undefined) return outcome.passedThrough ? 'passed-through' : by;
    // Definitions of other packages and providers of inputs have no outcome of their own.
    if (frontEnd.takes(object)) return by;
  }
  return undefined;
}

/** The evidence of rendered objects while they are checked. */
export interface RenderedTally extends Counted {
  all: number;
  named: Entry[];
}

/** Returns the entry of a rendered object that no schema checked. */
export function unseenEntry(one: Applied, why: UnseenReason = 'no-schema'): Entry {
  const hidden = 'input' in one ? hiddenTitleOfRendered(one.input) : hiddenTitleOfNode(one);
  return {
    unit: 'rendered',
    file: fileOfApplied(one),
    title: titleText(one.object, hidden),
    kind: hidden === 'everything' ? HIDDEN : trusted.definition(groupKindOf(one.object)),
    outcome: { is: 'unseen', why },
  };
}
