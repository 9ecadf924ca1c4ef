import {
  composeText,
  counted,
  hasErrors,
  isError,
  isPending,
  type Report,
  shownTitleOf,
  told,
  trusted,
} from '../../core/diagnostics/index.ts';
import { type Entry, type Evidence, Ledger, NO_EVIDENCE, type Outcome } from '../../core/ledger/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import {
  groupKindOf,
  groupVersionKind,
  type InputObject,
  isPassthrough,
  type KubeObject,
  placeOfSource,
} from '../../core/model/object.ts';
import type { Entry as RenderEntry } from '../../core/model/render.ts';
import { formatPath } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { isControllerKind } from '../../kubernetes/schema/index.ts';
import { isForCluster, isToolConfiguration } from '../../kubernetes/select/index.ts';
import type { RenderOutput } from '../pipeline.ts';

/**
 * Returns what a rendering did with each object that it was given: `given` has all of them, also after an error. An object
 * that nothing renders is kept as it is. If nothing describes its kind, nobody knows whether an RGD should render it.
 */
export function renderingEvidence(
  given: readonly InputObject[],
  output: Pick<RenderOutput, 'entries' | 'isDescribed' | 'reports'>,
): Evidence {
  const { entries, reports } = output;
  const seen: Seen = {
    entryOf: new Map(entries.map((entry) => [entry.input.object, entry])),
    failed: placesOf(reports.filter(isError)),
    undefinedKinds: placesOf(reports.filter(({ code }) => code === 'undefined-kind')),
    hasErrors: hasErrors(reports),
    isDescribed: describedObjects(output),
  };
  const ledger = new Ledger<InputObject>();
  for (const input of given) {
    ledger.record(input, {
      unit: 'object',
      file: input.source?.file,
      document: input.source?.document,
      title: shownTitleOf(input),
      kind: trusted.definition(groupKindOf(input.object)),
      outcome: outcomeOf(input, seen),
    });
  }
  const omitted = reports.filter((one) => isPending(one) && !isError(one)).map(pendingEntry);
  const rendered = entries.reduce((sum, entry) => sum + entry.rendered.length, 0);
  return {
    ...NO_EVIDENCE,
    given: ledger.entriesFor(given),
    rendered: { all: rendered + omitted.length, named: omitted },
  };
}

/** What a rendering saw of its objects. */
interface Seen {
  entryOf: ReadonlyMap<KubeObject, RenderEntry>;
  failed: ReadonlySet<string>;
  undefinedKinds: ReadonlySet<string>;
  hasErrors: boolean;
  isDescribed(object: KubeObject): boolean;
}

/** Returns the places of the objects that reports are about. */
function placesOf(reports: readonly Report[]): ReadonlySet<string> {
  const places = new Set(reports.flatMap(({ source, instance }) => [placeOfSource(source), placeOfSource(instance)]));
  places.delete('');
  return places;
}

const isAt = ({ source }: InputObject, places: ReadonlySet<string>): boolean =>
  places.size > 0 && places.has(placeOfSource(source));

/** Returns a function that reports whether the kind of an object is known, and asks once for each kind. */
function describedObjects({ isDescribed }: Pick<RenderOutput, 'isDescribed'>): (object: KubeObject) => boolean {
  const known = new Map<string, boolean>();
  return (object) =>
    getOrCompute(known, `${object.apiVersion} ${object.kind}`, () => {
      const gvk = groupVersionKind(object);
      return isDescribed(gvk) || isControllerKind(gvk);
    });
}

function outcomeOf(input: InputObject, seen: Seen): Outcome {
  const { object } = input;
  const entry = seen.entryOf.get(object);
  const role = entry?.role ?? roleOf(object);
  if (role === 'observed') return { is: 'irrelevant', why: 'live-object' };
  if (entry?.passedThrough || isPassthrough(object)) return { is: 'irrelevant', why: 'passed-through' };
  if (isAt(input, seen.undefinedKinds)) return { is: 'unseen', why: 'no-definition' };
  if (isAt(input, seen.failed)) return { is: 'failed' };
  if (role === 'rgd' || role === 'instance') return { is: 'rendered' };
  if (!isForCluster({ role, input })) return { is: 'irrelevant', why: 'runner-file' };
  if (isToolConfiguration(object)) return { is: 'irrelevant', why: 'no-object' };
  if (entry === undefined) {
    return seen.hasErrors ? { is: 'unseen', why: 'not-reached' } : { is: 'irrelevant', why: 'earlier-output' };
  }
  return seen.isDescribed(object) ? { is: 'unaffected' } : { is: 'unseen', why: 'no-schema' };
}

/** Returns the entry of a value that only a cluster has, by the field that it is for. */
export function pendingEntry({ object, namespace, node, path, source }: Report): Entry {
  const inNamespace = namespace === undefined ? composeText`` : composeText` in ${namespace}`;
  const field = formatPath(path);
  // A ResourceSet has no nodes.
  const ofNode = node === undefined ? composeText`` : composeText`, node ${trusted.definition(node)}`;
  const title = composeText`${object ?? ''}${inNamespace}${ofNode}: ${trusted.definition(field)}`;
  return { unit: 'value', file: source?.file, title, kind: object ?? title, outcome: { is: 'unseen', why: 'pending' } };
}

const MOST_KINDS = 5;
const MOST_OBJECTS = 10;

/**
 * Reports objects that a rendering keeps although nothing describes their kinds, so that nobody looked at them. That is
 * an info: the objects of an operator are like that.
 */
export function keptReports(evidence: Evidence): Report[] {
  const unknown = evidence.given.filter(({ outcome }) => outcome.is === 'unseen' && outcome.why === 'no-schema');
  if (unknown.length === 0) return [];
  const kinds = [...groupBy(unknown, ({ kind }) => kind)].map(([kind, entries]) => {
    const titles = enumerated(
      entries.map(({ title }) => title),
      MOST_OBJECTS,
    );
    return composeText`${kind} (${titles})`;
  });
  const verb = unknown.length === 1 ? 'is' : 'are';
  const message = told`${counted(unknown.length, 'object')} ${verb} kept and not checked, because nothing in the input describes the kind: ${{ objects: enumerated(kinds, MOST_KINDS) }}`;
  const hint = composeText`if an RGD defines the kind, add it to the input; render-rgd validate checks objects if it has their CustomResourceDefinition`;
  return [{ code: 'unknown-kind', ...message, path: [], severity: 'info', hint }];
}
