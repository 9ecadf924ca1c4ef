import { existsSync } from 'node:fs';
import { parseAddress } from '../authoring/address/index.ts';
import { explainPackage, explanationText, parseFieldPath, type Question } from '../authoring/explain/index.ts';
import type { Value } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { text } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { defineCommand, forPackages, type Invocation } from './command.ts';
import { conclude, fail, refuse } from './conclude.ts';
import { gather } from './gather.ts';
import { painter, printedAs } from './output.ts';

const NEEDS = 'KIND/NAME and a PATH; - reads standard input';
const own = {
  output: printedAs(['text', 'json']),
  eval: text('EXPRESSION', 'Evaluate this CEL expression as a node of the instance would, and show each of its parts.'),
};

export const explain = defineCommand({
  group: 'Author',
  usage: 'KIND/NAME [NODE] PATH... | KIND/NAME FIELD PATH... [options]',
  summary: 'Explain why a node of an instance is included, skipped or pending, and where a rendered field comes from.',
  examples: [
    ['explain WebApp/shop apps/ platform/', 'Lists the state of every node of an instance.'],
    [
      'explain WebApp/shop ingress apps/ platform/',
      'Explains one node, with the value of every part of its expressions.',
    ],
    ['explain Deployment/shop spec.replicas apps/ platform/', 'Traces a field back to its source.'],
    ["explain WebApp/shop --eval 'size(schema.spec.hosts) > 1' apps/ platform/", 'Evaluates an expression.'],
  ],
  firstWord: 'instances',
  own,
  ...forPackages,
  needs: [1, NEEDS],
  run: answer,
});

async function answer(invocation: Invocation<typeof own>): Promise<number> {
  const { settings } = invocation;
  const [address = '', ...rest] = invocation.paths;
  if (parseAddress(address) === undefined) {
    return refuse(`explain: '${address}' is not of the form KIND/NAME or KIND/NAMESPACE/NAME`, invocation);
  }
  const [first = ''] = rest;
  const isEval = settings.eval !== '';
  const isOfGraph = parseAddress(address)?.kind === 'Graph' && isNestedNode(rest);
  const asked = !isEval && (isOfGraph || isNode(rest) || isField(rest)) ? first : undefined;
  const paths = asked === undefined ? rest : rest.slice(1);
  if (paths.length === 0) return refuse(`explain needs ${NEEDS}`, invocation);
  const isPath = asked !== undefined && !isOfGraph && isField(rest);
  const field = isPath ? parseFieldPath(asked) : undefined;
  if (isPath && field === undefined) {
    const examples = '.spec.ports[0].name or .metadata.labels["a.b/c"]';
    return refuse(`explain: '${asked}' is not a field; write ${examples}`, invocation);
  }
  const { input, reports } = await gather({ ...invocation, paths });
  if (reports.hasErrors) return conclude(invocation, reports.all);
  const question: Question = isEval
    ? { object: address, expression: settings.eval }
    : field !== undefined
      ? { object: address, field }
      : { object: address, ...(asked !== undefined && { node: asked }) };
  const { explanation, fault, reports: found } = explainPackage(input, question, settings);
  if (fault !== undefined) return fail('not-found', fault, invocation);
  if (explanation === undefined) return conclude(invocation, [...reports, ...found]);
  return conclude(invocation, reports.all, () =>
    settings.output === 'json'
      ? [visible(`${toJsonText(explanation.details as object as Value, 2)}\n`)]
      : [explanationText(explanation, painter(invocation))],
  );
}

/** A second word is a node if a path follows; one with a dot or a slash is a path. */
const isNode = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 && /^[a-z][A-Za-z0-9]*$/.test(first);
/** A node of a nested graph has the ids around it: `outer.inner`. */
const isNestedNode = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 &&
  /^(?!(?:apiVersion|kind|metadata|spec|status)\b)[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)+$/.test(first) &&
  !existsSync(first);
/** `./folder`, `../folder` and a last word that exists are paths; a field without a leading dot has a nested one. */
function isField([first = '', ...rest]: readonly string[]): boolean {
  if (first === '.' || /^\.(?![./])/.test(first)) return rest.length > 0 || !existsSync(first);
  return parseFieldPath(first) !== undefined && rest.length > 0 && !existsSync(first);
}
