import { existsSync } from 'node:fs';
import type { Value } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { parseAddress } from '../describe/address/index.ts';
import {
  explainPackage,
  explanationText,
  parseFieldPath,
  type Question,
  type WrittenPath,
} from '../describe/explain/index.ts';
import { text } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { defineCommand, forPackages, type Invocation } from './command.ts';
import { gather } from './files.ts';
import { conclude, fail, painter, printedAs, refuse } from './output.ts';

const NEEDS = 'KIND/NAME and a PATH; - reads standard input';
const explainOptions = {
  output: printedAs(['text', 'json']),
  eval: text('EXPRESSION', 'Evaluate this CEL expression as a node of the instance would, and show each of its parts.'),
};

export const explain = defineCommand({
  firstWord: 'instances',
  own: explainOptions,
  ...forPackages,
  needs: [1, NEEDS],
  run: answer,
});

async function answer(invocation: Invocation<typeof explainOptions>): Promise<number> {
  const { settings } = invocation;
  const [address = '', ...rest] = invocation.paths;
  if (parseAddress(address) === undefined) {
    return refuse(`explain: '${address}' is not of the form KIND/NAME or KIND/NAMESPACE/NAME`, invocation);
  }
  const part = settings.eval === '' ? askedPart(address, rest) : undefined;
  const paths = part === undefined ? rest : rest.slice(1);
  if (paths.length === 0) return refuse(`explain needs ${NEEDS}`, invocation);
  if (part !== undefined && 'fault' in part) return refuse(`explain: ${part.fault}`, invocation);
  const { input, reports } = await gather({ ...invocation, paths });
  if (reports.hasErrors) return conclude(invocation, reports.all);
  const question: Question =
    settings.eval === '' ? { object: address, ...part } : { object: address, expression: settings.eval };
  const { explanation, fault, reports: found } = explainPackage(input, question, settings);
  if (fault !== undefined) return fail('not-found', fault, invocation);
  if (explanation === undefined) return conclude(invocation, [...reports, ...found]);
  return conclude(invocation, reports.all, () =>
    settings.output === 'json'
      ? [visible(`${toJsonText(explanation.details as object as Value, 2)}\n`)]
      : [explanationText(explanation, painter(invocation))],
  );
}

/** Returns the node or the field that the second word names; `undefined` if it is a path. */
function askedPart(
  address: string,
  rest: readonly string[],
): { node: string } | { field: WrittenPath } | { fault: string } | undefined {
  const [word = ''] = rest;
  if (parseAddress(address)?.kind === 'Graph' && isNestedNode(rest)) return { node: word };
  if (!isField(rest)) return isNode(rest) ? { node: word } : undefined;
  const field = parseFieldPath(word);
  const examples = '.spec.ports[0].name or .metadata.labels["a.b/c"]';
  return field === undefined ? { fault: `'${word}' is not a field; write ${examples}` } : { field };
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
