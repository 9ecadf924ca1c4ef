import domains from '../../../data/project-domains.json';
import {
  askFor,
  type Collector,
  composeText,
  hintMessage,
  type Problem,
  phrase,
  reporterFor,
  shown,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { KRO_LABEL, MODE } from '../../core/model/keys.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import {
  type GroupVersionKind,
  groupKind,
  groupVersionKind,
  type InputObject,
  isPassthrough,
  type KubeObject,
} from '../../core/model/object.ts';
import type { RenderInput, RenderOptions, Trace } from '../../core/model/render.ts';
import { getAt } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { builtinKinds, describedBy, type KindRegistry, unservedKind } from '../../kubernetes/schema/index.ts';
import { isForCluster, isToolConfiguration } from '../../kubernetes/select/index.ts';
import type { Graph, Graphs } from '../compile/index.ts';
import { definedKind, isRgd } from '../definition/index.ts';

export interface Undefined {
  graphs: Graphs;
  kinds: KindRegistry;
  traceFor: (gvk: GroupVersionKind) => Trace | undefined;
  options: Pick<RenderOptions, 'groups' | 'strict'>;
  undescribed: RenderInput['undescribed'];
}

/** Reports objects that were probably intended as instances: what was rendered from them would be deleted. */
export function undefinedKindReporter(known: Undefined, reports: Collector): (input: InputObject) => void {
  const { graphs } = known;
  const isDescribed = describedBy(known.kinds);
  const suggestionFor = createKindSuggester(graphs, isDescribed);
  const reported = new Set<string>();
  const kindsByGroup = groupBy([...graphs.values()], ({ group }) => group);
  const stranger = (gvk: GroupVersionKind, input: InputObject): Problem | undefined => {
    const defined = kindsByGroup.get(gvk.group);
    if (isDescribed(gvk)) return undefined;
    if (defined !== undefined) return ofGroup(gvk, input, defined);
    if (isToolConfiguration(input.object)) return undefined;
    const severity = known.options.strict ? 'error' : known.undescribed;
    if (severity === undefined || !isForCluster({ role: 'other', input }) || isOfProject(gvk.group)) return undefined;
    const { release } = known.kinds;
    const unserved = release === undefined ? undefined : unservedKind(gvk, release);
    if (unserved !== undefined) return { ...unserved, path: ['apiVersion'] };
    const problem = unchecked(gvk, severity);
    // A line about several kinds would name one that may be a value of a Secret.
    return input.secret === undefined ? problem : { ...problem, listed: undefined };
  };
  return (input) => {
    const gvk = groupVersionKind(input.object);
    if (isPassthrough(input.object) || builtinKinds.find(gvk) !== undefined) return;
    // An object that does not reach a cluster may be rendered elsewhere, as that of a subpackage of kpt.
    const isHarmless = !isForCluster({ role: 'other', input });
    const shown = toBeRendered(gvk, isHarmless ? { ...known, traceFor: () => undefined } : known);
    const certain = shown?.severity === 'warning' && isDescribed(gvk) ? undefined : shown;
    const intended = suggestionFor(gvk);
    const isSlip = intended !== undefined && !(intended.doubtful && certain !== undefined);
    const problem = isSlip ? slip(input, gvk, intended) : (certain ?? stranger(gvk, input));
    if (problem === undefined || (isSlip && intended.doubtful && reported.has(groupKind(gvk)))) return;
    reported.add(groupKind(gvk));
    reporterFor(input, reports).report(
      isHarmless && problem === certain ? { ...problem, severity: 'warning' } : problem,
    );
  };
}

export function toBeRendered(
  gvk: GroupVersionKind,
  { traceFor, options }: Pick<Undefined, 'traceFor' | 'options'>,
): Problem | undefined {
  const { group, kind } = gvk;
  if (group === 'kro.run' && kind === 'ResourceGraphDefinition') return undefined;
  if (group === 'kro.run' && kind === 'Graph') return graph;
  const trace = traceFor(gvk);
  const isOfGroups = options.groups.includes(group);
  if (trace === undefined && group !== 'kro.run' && !isOfGroups) return undefined;
  const reason = trace?.message ?? (isOfGroups ? `the option groups has the group ${group}` : undefined);
  const because = reason === undefined ? '' : `: ${reason}`;
  const added = 'add its RGD to the input, or name its folder with --definitions';
  const left = `for a controller in the cluster, annotate the object with ${MODE}: passthrough`;
  const isDoubtful = trace?.isDoubtful && group !== 'kro.run' && !isOfGroups;
  return {
    code: 'undefined-kind',
    message: phrase`no RGD in the input defines ${{ kind }}, so it is not rendered${{ reason: shown(because) }}`,
    path: ['kind'],
    alike: groupKind(gvk),
    ...(isDoubtful && { severity: 'warning', isDoubtful }),
    hint: phrase`${shown(trace?.hint ?? added)}; ${shown(left)}`,
  };
}

function slip({ object }: InputObject, { kind }: GroupVersionKind, { graph, field, doubtful }: SuggestedKind): Problem {
  const defined = `${graph.group}/${graph.version}`;
  const isOther = 'if it is something else, add its CustomResourceDefinition';
  const message = phrase`no RGD in the input defines ${{ kind }} of ${{ apiVersion: object.apiVersion }}, so it is not rendered; the RGD '${{ rgd: graph.name }}' defines ${graph.kind} of ${{ expected: defined }}`;
  const wanted = field === 'kind' ? graph.kind : defined;
  const hint = phrase`${hintMessage(askFor([wanted]), (text) => phrase`${text}`)} ${shown(isOther)}`;
  return {
    code: 'undefined-kind',
    message,
    path: [field],
    hint,
    severity: doubtful ? 'warning' : 'error',
    alike: `${object.apiVersion} ${kind}`,
  };
}

function ofGroup({ group, kind }: GroupVersionKind, { object }: InputObject, graphs: readonly Graph[]): Problem {
  const kinds = graphs.slice(0, 5).map((one) => one.kind);
  const shown = `${kinds.join(', ')}${graphs.length > 5 ? ` and ${graphs.length - 5} more` : ''}`;
  return {
    code: 'undefined-kind',
    message: phrase`no RGD in the input defines ${{ kind }} of ${{ apiVersion: object.apiVersion }}, so it is not rendered; RGDs define ${{ expected: shown }} of ${{ group }}`,
    path: ['kind'],
    severity: 'warning',
    hint: phrase`add its RGD to the input, or name its folder with --definitions; if it is something else, add its CustomResourceDefinition`,
    alike: groupKind({ group, kind }),
    isDoubtful: true,
  };
}

const unchecked = (gvk: GroupVersionKind, severity: 'warning' | 'error'): Problem => ({
  code: 'undefined-kind',
  message: phrase`was neither checked nor rendered: nothing in the input defines ${{ kind: gvk.kind }} of ${{ group: gvk.group }}`,
  path: ['kind'],
  severity,
  hint: phrase`add its RGD to the input, or name its folder with --definitions; if it is something else, add its CustomResourceDefinition`,
  alike: groupKind(gvk),
  listed: {
    subject: trusted.definition(`${gvk.group} ${gvk.kind}`),
    message: composeText`objects of these kinds were neither checked nor rendered, and nothing in the input defines them`,
    hint: composeText`add their RGDs to the input, or name their folder with --definitions; if they are something else, add their CustomResourceDefinitions`,
    item: groupKind(gvk),
  },
});

/** Another front end renders a Graph of kro 0.10 with nodes. */
const graph: Problem = {
  code: 'graph-kind',
  message: phrase`a Graph of kro 0.10 (alpha) has spec.nodes, and this object has none`,
  path: ['kind'],
  hint: phrase`write spec.nodes, a list, and render it with --experimental graph`,
};

/** Adds what an object shows to `traces`; the first trace of a kind stays. */
export function addTrace(object: KubeObject, where: string, traces: Map<string, Trace>, hint?: string): void {
  const [kind = '', trace] = traceOf(object, where) ?? [];
  if (trace !== undefined && !traces.has(kind)) traces.set(kind, hint === undefined ? trace : { ...trace, hint });
}

/** Returns the kind, as `Kind.group`, of which an object is the RGD, the CRD that kro generated, or rendered output. */
function traceOf(object: KubeObject, where: string): [kind: string, trace: Trace] | undefined {
  const label = (key: string): string => String(getAt(object, ['metadata', 'labels', key]) ?? '');
  const text = (...path: string[]): string => String(getAt(object, path) ?? '');
  if (isRgd(object)) {
    const message = `the RGD '${text('metadata', 'name')}' ${where} defines it`;
    return isPassthrough(object) ? undefined : [definedKind(object), { message }];
  }
  if (roleOf(object) === 'crd') {
    if (label(KRO_LABEL.owned) !== 'true' && label(KRO_LABEL.rgdName) === '') return undefined;
    const message = `kro generated the CustomResourceDefinition ${text('metadata', 'name')} ${where} from an RGD`;
    return [groupKind({ kind: text('spec', 'names', 'kind'), group: text('spec', 'group') }), { message }];
  }
  const kind = label(KRO_LABEL.instanceKind);
  const group = label(KRO_LABEL.instanceGroup);
  if (kind === '' || group === '') return undefined;
  return [groupKind({ kind, group }), { message: `a rendered ${object.kind} ${where} names this kind in its labels` }];
}

/** The domains of API groups of widely used projects. */
const DOMAINS: ReadonlySet<string> = new Set(domains);

export function isOfProject(group: string): boolean {
  const labels = group.split('.');
  return labels.some((_, index) => DOMAINS.has(labels.slice(index).join('.')));
}

interface SuggestedKind {
  graph: Graph;
  field: 'apiVersion' | 'kind';
  /** Its group is unrelated to that of the RGD, so it may be something else. */
  doubtful: boolean;
}

function createKindSuggester(
  graphs: Graphs,
  isDescribed: (gvk: GroupVersionKind) => boolean,
): (gvk: GroupVersionKind) => SuggestedKind | undefined {
  const all = [...graphs.values()];
  const groups = new Set(all.map(({ group }) => group));
  const answers = new Map<string, SuggestedKind | undefined>();
  const find = (gvk: GroupVersionKind): SuggestedKind | undefined => {
    const sameKind = all.filter(({ kind }) => kind === gvk.kind);
    const related = sameKind.find(({ group }) => areRelated(gvk.group, group));
    const graph = related ?? (isOfProject(gvk.group) ? undefined : sameKind[0]);
    if (graph !== undefined) {
      return isDescribed(gvk) ? undefined : { graph, field: 'apiVersion', doubtful: related === undefined };
    }
    if (sameKind.length > 0 && graph === undefined) return undefined;
    const [group] = groups.has(gvk.group) ? [gvk.group] : nearest(gvk.group, groups, 1);
    const inGroup = all.filter((one) => one.group === group);
    const kindsOfGroup = inGroup.map(({ kind }) => kind);
    const [close] = nearest(gvk.kind, kindsOfGroup, 1);
    // A group of an RGD has few kinds, so a less similar one is probable too.
    const likely = close ?? (group === gvk.group ? likelyKind(gvk.kind, kindsOfGroup) : undefined);
    const intended = inGroup.find(({ kind }) => kind === likely);
    return intended === undefined || isDescribed(gvk) ? undefined : { graph: intended, field: 'kind', doubtful: false };
  };
  return (gvk) => getOrCompute(answers, groupKind(gvk), () => find(gvk));
}

/** Returns the kind that shares the beginning or the end, and most of its letters. */
function likelyKind(written: string, kinds: readonly string[]): string | undefined {
  const wanted = written.toLowerCase();
  const isLikely = (kind: string): boolean => {
    const other = kind.toLowerCase();
    const shorter = Math.min(wanted.length, other.length);
    const shared = Math.max(sharedStart(wanted, other), sharedStart(reversed(wanted), reversed(other)));
    const isPart = shared === shorter;
    return shared >= 2 && (isPart || (shared * 2 > shorter && Math.abs(wanted.length - other.length) <= shorter));
  };
  return kinds
    .filter(isLikely)
    .sort((a, b) => Math.abs(a.length - wanted.length) - Math.abs(b.length - wanted.length))[0];
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** Reports whether a group is missing (`apiVersion: v1alpha1`), kro's own, misspelt, or of the same domain. */
function areRelated(written: string, defined: string): boolean {
  if (written === '' || written === 'kro.run' || nearest(written, [defined]).length > 0) return true;
  const domain = (group: string): string => group.split('.').slice(-2).join('.');
  return domain(written) === domain(defined);
}
