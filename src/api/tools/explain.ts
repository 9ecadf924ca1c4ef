import { parseAddress } from '../../authoring/address/index.ts';
import {
  type Explanation,
  explainPackage,
  explanationText,
  parseFieldPath,
  type Question,
} from '../../authoring/explain/index.ts';
import type { Diagnostic } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { objectIn, textIn } from '../arguments.ts';
import { askPackage } from '../package.ts';
import { fromPlain, toPlain } from '../plain.ts';
import type { JsonValue, RenderInput, RenderOptions } from '../types.ts';

/** The subject of an explanation; `node`, `field` and `expression` exclude each other. */
export interface ExplainQuestion {
  /** An instance, or with `field` a rendered object: `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
  readonly object: string;
  /** The id of a node of the instance. Default: a summary of all nodes. */
  readonly node?: string | undefined;
  /** A field of the rendered object: `.spec.ports[0].name`, `.metadata.labels["a.b/c"]`. */
  readonly field?: string | undefined;
  /** A CEL expression to evaluate in the instance, as one of its nodes would. */
  readonly expression?: string | undefined;
}

export interface ExplainResult {
  /** Absent after an error that prevents the expansion of the package, or `not-found`. */
  readonly explanation?: Explanation;
  /** Other diagnostics of the package; the explanation reports those of the instance. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Explains why the nodes of an instance are included, skipped or pending, with the value of every expression part by
 * part, or which sources a field of a rendered object has. Values of Secrets are hidden.
 * @throws TypeError as `render` does, and for an invalid question
 */
export function explain(input: RenderInput, question: ExplainQuestion, options: RenderOptions = {}): ExplainResult {
  const asked = readQuestion(question);
  const { answer, reports } = askPackage(input, options, (pack, checked) => {
    const { explanation, fault, reports: found } = explainPackage(pack, asked, checked);
    // An explanation has the reports of its instance.
    return { explanation, fault, reports: explanation === undefined && fault === undefined ? found : [] };
  });
  const diagnostics = toDiagnostics(reports);
  if (answer?.explanation === undefined) return { diagnostics };
  return { explanation: toPlain(answer.explanation as object as Value) as object as Explanation, diagnostics };
}

function readQuestion(question: ExplainQuestion): Question {
  const { object, node, field, expression } = objectIn(question, 'the question', 'object');
  if (parseAddress(textIn(object, 'object')) === undefined) {
    throw new TypeError(`object must be KIND/NAME or KIND/NAMESPACE/NAME, got ${object}`);
  }
  if ([node, field, expression].filter((one) => one !== undefined).length > 1) {
    throw new TypeError('explain takes node or field or expression');
  }
  if (expression !== undefined) return { object, expression: textIn(expression, 'expression') };
  if (node !== undefined) return { object, node: textIn(node, 'node') };
  if (field === undefined) return { object };
  const path = parseFieldPath(textIn(field, 'field'));
  if (path === undefined) throw new TypeError(`field must be like .spec.ports[0].name, got ${field}`);
  return { object, field: path };
}

/** Formats the result of `explain` as `render-rgd explain` prints it. */
export const formatExplanation = (explanation: Explanation): string =>
  explanationText(fromPlain(objectIn(explanation, 'the explanation') as object as JsonValue) as object as Explanation);
