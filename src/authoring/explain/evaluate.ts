import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Document, InputObject, KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isMap, listOf } from '../../core/model/value.ts';
import { isGraph } from '../../graph/index.ts';
import { isRgd, outlineOf } from '../../kro/definition/index.ts';
import { type InstanceRun, titleOfRun } from '../../kro/expand/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { addressableRun, onlyAt, parseAddress } from '../address/index.ts';
import { type ExplainedNode, explainNode } from './node.ts';
import { explainable } from './package.ts';
import type { ExplainedExpression } from './value.ts';

/** The value of an expression in an instance, part by part. */
export interface ExplainedValue {
  instance: Text;
  /** `skipped` if it reads a skipped node, `pending` if it is pending. */
  verdict: ExplainedNode['verdict'];
  why: Text;
  expression?: ExplainedExpression;
}

/** The id of the added node, and the kind of its object: any instance may render one, named by its uid. */
const NODE = 'renderRgdEval';
const GROUP = 'eval.render-rgd.dev';
const KIND = 'Eval';
const ANY_SPEC = { type: 'object', properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true } } };
const CRD: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `evals.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { kind: KIND, plural: 'evals' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: ANY_SPEC } }],
  },
};

type Answered = { about: 'expression'; details: ExplainedValue } | { fault: Text } | undefined;

/**
 * Evaluates an expression as a node of the instance's RGD would: adds a node to that RGD, of a kind whose `spec`
 * accepts anything. So all rules of expressions in templates apply, including redaction.
 */
export function evaluateIn(
  input: RenderInput,
  { object, expression }: { object: string; expression: string },
  options: RenderOptions,
): { answer: Answered; reports: readonly Report[] } {
  const kind = parseAddress(object)?.kind ?? '';
  const probed = (all: readonly Document[] = []): InputObject[] =>
    objectsIn(all).map((one) => withProbe(one, kind, expression));
  const definitions = [...probed(input.definitions), { object: CRD }];
  const changed = { ...input, objects: probed(input.objects), definitions };
  const { package: pack, reports } = explainable(changed, options);
  if (pack === undefined) return { answer: undefined, reports: reports.map(withoutPlace) };
  const found = onlyAt(pack.runs.map(addressableRun), object, 'instance');
  return { answer: 'fault' in found ? found : answerOf(found.found.run, pack), reports: [] };
}

function answerOf(run: InstanceRun, pack: Parameters<typeof explainNode>[2]): Answered {
  const node = run.graph.nodes.find(({ id }) => id === NODE);
  if (node === undefined)
    return { fault: composeText`${trusted.definition(run.instance.kind)} is defined by no RGD that could be read` };
  const { verdict, why, expressions } = explainNode(node, run, pack);
  const expression = expressions.find(({ field }) => field === 'template.spec' || field === 'def.spec');
  const instance = titleOfRun(run);
  return {
    about: 'expression',
    details: { instance, verdict, why, ...(expression && { expression: shown(expression) }) },
  };
}

/** The expression is not in a file. */
const shown = ({ place: _, ...expression }: ExplainedExpression): ExplainedExpression => ({
  ...expression,
  field: composeText`--eval`,
});

/** Removes the position of an error of the expression, which is not in a file. */
function withoutPlace(report: Report): Report {
  if (report.node !== NODE) return report;
  const { source: _, object: __, node: ___, offset: ____, field: _____, ...rest } = report;
  return { ...rest, path: [] };
}

function withProbe(input: InputObject, kind: string, expression: string): InputObject {
  const { object } = input;
  const text = `\${${expression}}`;
  const metadata = { name: '${schema.metadata.uid}' };
  const template = { apiVersion: `${GROUP}/v1`, kind: KIND, metadata, spec: text };
  const isNodes = kind === 'Graph' && isGraph(object);
  if (!isMap(object.spec) || !(isNodes || (isRgd(object) && outlineOf(object).kind === kind))) return input;
  const [list, probe] = isNodes ? ['nodes', { def: { spec: text } }] : ['resources', { template }];
  const spec = { ...object.spec, [list]: [...listOf(object.spec[list]), { id: NODE, ...probe }] };
  return { ...input, object: { ...object, spec } };
}
