import type { InputObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';

type OneRendered = Pick<Rendered, 'object' | 'template'>;

/**
 * Returns a function that converts objects rendered from an input to inputs, with the location of their template.
 * `secret` is what may be secret in such an object. Objects of one template share the location.
 */
export function renderedInputs(from: InputObject): (one: OneRendered, secret: InputObject['secret']) => InputObject {
  const sources = new Map<OneRendered['template'], InputObject['source']>();
  const sourceOf = (template: OneRendered['template']): InputObject['source'] => {
    const known = sources.get(template);
    if (known !== undefined) return known;
    const { source } = template?.input ?? from;
    const located = source && { ...source, path: [...source.path, ...(template?.path ?? [])] };
    sources.set(template, located);
    return located;
  };
  return ({ object, template }, secret) => {
    const source = sourceOf(template);
    return { object, ...(source && { source }), ...(secret && { secret }) };
  };
}
