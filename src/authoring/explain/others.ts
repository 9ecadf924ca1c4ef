import { composeText, HIDDEN, publicText, type Text } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';
import { getAt, type Path, type Value } from '../../core/model/value.ts';
import { isSecret, isSecretKind, SECRET, writtenSecrets } from '../../core/redaction/index.ts';
import { addressOf } from '../address/index.ts';
import { faultOf, type Origin } from './field.ts';
import type { Other } from './package.ts';
import { type Located, placed } from './place.ts';
import type { ExplainedSet } from './set.ts';

export interface RenderedByOther {
  object: KubeObject;
  other: Other;
  rendered: Rendered;
}

export const renderedByOthers = (others: readonly Other[]): RenderedByOther[] =>
  others.flatMap((other) => other.outcome.rendered.map((rendered) => ({ object: rendered.object, other, rendered })));

export function explainOther(
  { object, outcome: { input, rendered, passedThrough } }: Other,
  located: Located,
): ExplainedSet {
  const templates = groupBy(rendered, ({ node }) => node);
  return {
    set: addressOf(object),
    verdict: passedThrough ? 'skipped' : 'included',
    inputs: [],
    providers: [],
    templates: [...templates].map(([field, template]) => ({
      field: publicText`${field}`,
      ...placed(input, template[0]?.template?.path ?? [], located),
      objects: template.map((one) => ({ object: addressOf(one.object), inputs: composeText`` })),
    })),
  };
}

/** Returns the origin of a field: the template, as far as it can be traced. */
export function explainRenderedByOther(
  { object, other, rendered: { template } }: RenderedByOther,
  path: Path,
  located: Located,
): { origin: Origin; value: Value } | { fault: Text } {
  const secrecy = isSecretKind(object.kind) ? SECRET : writtenSecrets(object, 'object');
  const value = getAt(object, path);
  if (value === undefined) return { fault: faultOf(object, path, secrecy) };
  const { input, path: root } = template ?? { input: other.outcome.input, path: [] };
  const written = [...root, ...path];
  const isWritten = getAt(input.object, written) !== undefined;
  const origin: Origin = {
    from: 'template',
    what: addressOf(other.object),
    ...placed(input, isWritten ? written : root, located),
    behind: [],
  };
  return { origin, value: isSecret(secrecy, path) ? HIDDEN : value };
}
