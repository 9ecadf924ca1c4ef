import type { InputObject } from '../../core/model/object.ts';
import type { Rendered } from '../../core/model/render.ts';

/** A rendered object as an input, which is where its template does. Of an input with secrets any part may be one. */
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
