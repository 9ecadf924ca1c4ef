import { kro } from '../../src/kro/front-end.ts';
import type { FrontEnd } from '../../src/kubernetes/front-end/index.ts';

/**
 * Replaces `src/render/front-ends.ts` in the page: the front ends of ResourceSets and Graphs are a tenth of a first
 * load. They are loaded when the files may contain such an object.
 */
export const FRONT_ENDS: FrontEnd[] = [kro];

/** A kind of another front end, or an escape in a string, which can spell one. */
const OTHERS = /ResourceSet|Graph(?!Definition)|\\\\[xuU]/;

/** Loads the other front ends if a request to render, as JSON, may need them. */
export async function loadFrontEnds(request: string): Promise<void> {
  if (OTHERS.test(request)) await loadAllFrontEnds();
}

export async function loadAllFrontEnds(): Promise<void> {
  if (FRONT_ENDS.length > 1) return;
  const { FRONT_ENDS: all } = await import('../../src/render/front-ends.ts');
  FRONT_ENDS.splice(0, FRONT_ENDS.length, ...all);
}
