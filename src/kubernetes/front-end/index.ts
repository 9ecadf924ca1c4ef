import { getOrCompute } from '../../core/model/lazily.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';
import type { FrontEnd } from './front-end.ts';

/** The interface of a template language: kro's RGDs and Flux ResourceSets implement it. */

export * from './front-end.ts';
export { distinct, readPackage, reportNotKnown, reportTooDeep, roleOf } from './not-known.ts';
export { isUnknown, unknownIn } from './unknown.ts';

/** Returns the front ends with a replacement for the one of the same name. */
export const withFrontEnd = (other: FrontEnd, all: readonly FrontEnd[]): readonly FrontEnd[] =>
  all.map((one) => (one.name === other.name ? other : one));

type OneRendered = Pick<Rendered, 'object' | 'template'>;

/**
 * Returns a function that converts objects rendered from an input to inputs, with the location of their template.
 * `secret` is what may be secret in such an object. Objects of one template share the location.
 */
export function renderedInputs(from: InputObject): (one: OneRendered, secret: InputObject['secret']) => InputObject {
  const sources = new Map<OneRendered['template'], InputObject['source']>();
  const sourceOf = (template: OneRendered['template']): InputObject['source'] =>
    getOrCompute(sources, template, () => {
      const { source } = template?.input ?? from;
      return source && { ...source, path: [...source.path, ...(template?.path ?? [])] };
    });
  return ({ object, template }, secret) => {
    return { object, source: sourceOf(template), secret };
  };
}
