import type { InputObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';

/**
 * Returns a rendered object as an input with the location of its template. If the input is secret, any part of it may
 * be.
 */
export function renderedInput(
  { object, template }: Pick<Rendered, 'object' | 'template'>,
  from: InputObject,
  secret: InputObject['secret'],
): InputObject {
  const { source } = template?.input ?? from;
  const path = template?.path ?? [];
  return {
    object,
    ...(source && { source: { ...source, path: [...source.path, ...path] } }),
    ...(secret && { secret }),
  };
}
