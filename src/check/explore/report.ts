/** Reports what an exploration found: each counterexample at the node that fails, and what was covered. */
import { composeText, counted, joinTexts, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Path } from '../../core/model/value.ts';
import { missedPhrase } from '../../describe/coverage/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import type { Cause } from './cause.ts';
import type { Counterexample, Explored } from './search.ts';

/** Returns the reports of an exploration, counterexamples first. */
export const reportsOf = (explored: Explored): Report[] => [
  ...explored.counterexamples.map((one) => counterexampleReport(one, explored)),
  summaryOf(explored),
];

const titleOf = ({ graph }: Explored): Text => trusted.definition(`ResourceGraphDefinition/${graph.name}`);

function counterexampleReport(one: Counterexample, explored: Explored): Report {
  const { fault, instances, cause, others } = one;
  const { report } = fault;
  const subject =
    instances.length > 1
      ? composeText`two accepted instances together`
      : composeText`an accepted instance${withCause(cause)}`;
  const more = others.length === 0 ? '' : composeText` (and ${counted(others.length, 'other fault')})`;
  // A fault of the instance itself has no node; its place is not in a file.
  const isOfNode = report.node !== undefined;
  const hint = hintOf(one);
  return {
    code: 'counterexample',
    severity: 'warning',
    message: composeText`${subject}: ${report.message}${more}`,
    ...(hint !== undefined && { hint }),
    object: titleOf(explored),
    ...(isOfNode && { node: report.node }),
    source: isOfNode ? report.source : explored.graph.input.source,
    path: isOfNode ? report.path : ['spec', 'schema'],
    ...(isOfNode && report.offset !== undefined && { offset: report.offset }),
    reproduction: trusted.redacted(toYaml(instances.map(({ object }) => object)).trimEnd()),
  };
}

/** Returns the name of a field, without the indices of items. */
function fieldText(path: Path | undefined): Text {
  if (path === undefined) return composeText`metadata.name`;
  const field = trusted.field(['spec', ...path.filter((step) => typeof step === 'string')]);
  return typeof path.at(-1) === 'number' ? composeText`an item of ${field}` : field;
}

/** Returns what about an instance decides, as `with spec.port 65536`. */
function withCause(cause: Cause | undefined): Text {
  if (cause === undefined) return composeText``;
  const field = fieldText(cause.path);
  const { bound } = cause;
  switch (bound.is) {
    case 'absent':
      return composeText` without ${field}`;
    case 'longest':
      return composeText` with ${field} of ${Number(bound.value) + 1} characters`;
    case 'greatest':
      return composeText` with ${field} ${trusted.redacted(bound.value + 1n)}`;
    case 'least':
      return composeText` with ${field} ${trusted.redacted(bound.value - 1n)}`;
    case 'shortest':
    case 'empty-list':
      return composeText` with an empty ${field}`;
    case 'items':
      return composeText` with these items of ${field}`;
    case 'value':
      return composeText` with this value of ${field}`;
  }
}

/** Returns how to fix it: a bound that was tried, or what the fault itself suggests. */
function hintOf({ fault, instances, cause }: Counterexample): Text | undefined {
  const { hint } = fault.report;
  if (instances.length > 1) {
    return composeText`put the name and the namespace of the instance into the name of the object, or document that there may be one instance only`;
  }
  if (cause === undefined) return hint;
  const field = fieldText(cause.path);
  const { bound } = cause;
  switch (bound.is) {
    case 'absent': {
      const also = hint === undefined ? '' : composeText`; or ${hint}`;
      return composeText`give ${field} a default, or require it${also}`;
    }
    case 'longest':
      return cause.path === undefined
        ? composeText`shorten what is added to metadata.name: up to ${Number(bound.value)} characters work`
        : composeText`add maxLength=${Number(bound.value)} to ${field}`;
    case 'greatest':
      return composeText`add maximum=${trusted.redacted(bound.value)} to ${field}`;
    case 'least':
      return composeText`add minimum=${trusted.redacted(bound.value)} to ${field}`;
    case 'shortest':
      return composeText`add minLength=1 to ${field}`;
    case 'empty-list':
      return composeText`add minItems=1 to ${field}`;
    case 'items':
      return hint;
    case 'value':
      return hint ?? composeText`restrict ${field} with an enum, a pattern or a validation`;
  }
}

/** How many parts that nothing reached are listed. */
const MOST_MISSED = 5;

/** Returns how much of an RGD was tried. */
function summaryOf(explored: Explored): Report {
  const { graph, tried, isCut, branches, optional, counterexamples } = explored;
  const missed = branches.filter(({ hits }) => hits === 0);
  const names = [
    ...missed.map(({ line, node, ...item }) => trusted.definition(`line ${line} node ${node}: ${missedPhrase(item)}`)),
    ...optional.missed.map((path) => composeText`optional field ${fieldText(path)}`),
  ];
  const shown = names.slice(0, MOST_MISSED);
  const left = names.length - shown.length;
  const listed = left > 0 ? [...shown, composeText`${left} more`] : shown;
  const notCovered = listed.length === 0 ? '' : composeText`; not covered: ${joinTexts(listed, ', ')}`;
  const more = isCut ? composeText` of more` : '';
  const covered = composeText`${branches.length - missed.length} of ${branches.length} branches and ${optional.reached} of ${counted(optional.all, 'optional field')} covered`;
  return {
    code: 'explored',
    severity: 'info',
    message: composeText`tried ${counted(tried, 'accepted instance')}${more}, ${counted(counterexamples.length, 'counterexample')}: ${covered}${notCovered}`,
    object: titleOf(explored),
    source: graph.input.source,
    path: ['metadata', 'name'],
  };
}
