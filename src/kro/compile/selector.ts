import { type Problem, phrase, shownIf } from '../../core/diagnostics/index.ts';
import { parseSelector, type SelectorProblem } from '../../core/model/label-selector.ts';
import { get, getAt, type Path, textOf, textsIn, type Value, type ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { holdsExpression, scan } from './scan.ts';

/**
 * Returns the errors in the selector of an external reference that do not depend on values (kro: validateSelector): it
 * is a LabelSelector or one expression that returns one, without other fields, its literal parts of the right type. The
 * labels are checked here only if nothing is computed, as in kro; otherwise when an instance is expanded.
 */
export function selectorProblems(selector: Value, path: Path): Problem[] {
  const problem = ({ message, path: inside }: SelectorProblem): Problem => {
    const key = inside.at(-1);
    const known = inside.length === 1 ? ['matchLabels', 'matchExpressions'] : ['key', 'operator', 'values'];
    const intended = typeof key === 'string' && !known.includes(key) ? shownIf(didYouMean(key, known)) : undefined;
    return { code: 'selector-shape', message: phrase`${message}`, path: [...path, ...inside], hint: intended };
  };
  if (typeof selector === 'string') {
    if (isStandalone(selector)) return [];
    const message = phrase`a selector must be a LabelSelector, or one expression that yields one`;
    return [{ code: 'selector-shape', message, path }];
  }
  const { faults } = parseSelector(selector);
  const isComputed = ({ about, path: inside }: SelectorProblem): boolean =>
    about === 'text' || (about === 'type' && isStandalone(textOf(getAt(selector, inside))));
  const hasExpression = [...textsIn(selector)].some(({ text }) => holdsExpression(text));
  return (hasExpression ? faults.filter((fault) => !isComputed(fault)) : faults).map(problem);
}

/** Returns the schema of an external reference, whose identity consists of strings. */
export function referenceSchema(externalRef: ValueMap): Schema {
  const selector = get(get(externalRef, 'metadata'), 'selector') ?? null;
  const properties = { name: TEXT, namespace: TEXT, selector: selectorSchema(selector) };
  return {
    type: 'object',
    properties: { apiVersion: TEXT, kind: TEXT, metadata: { type: 'object', properties } },
  };
}

const TEXT: Schema = { type: 'string' };

/** A selector that is computed as a whole may be loosely typed, as in kro. */
function selectorSchema(selector: Value): Schema {
  if (typeof selector === 'string') return { type: 'object', additionalProperties: true };
  const expressions = get(selector, 'matchExpressions');
  return {
    type: 'object',
    properties: {
      matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
      // A list of anything: the types of its entries are checked at run time.
      matchExpressions:
        typeof expressions === 'string'
          ? { type: 'array', items: { 'x-kubernetes-int-or-string': true } }
          : { type: 'array' },
    },
  };
}

function isStandalone(text: string): boolean {
  const scanned = scan(text);
  return scanned.ok && scanned.standalone;
}
