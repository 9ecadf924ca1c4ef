import { hasErrors, type Report } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { renderVersion } from '../review/index.ts';
import { maskedAlone } from './mask.ts';

/** Returns the objects that `render` would print, redacted. */
export function maskedObjects(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
): { objects: KubeObject[]; reports: readonly Report[] } {
  const { objects, reports } = renderVersion(input, options);
  return { objects: hasErrors(reports) ? [] : objects.map((one) => maskedAlone(one) as KubeObject), reports };
}
