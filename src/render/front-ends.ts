import { flux } from '../flux/index.ts';
import { kro } from '../kro/front-end.ts';
import type { FrontEnd } from '../kubernetes/front-end/index.ts';

/** The languages of templates. In each round one sees what those before it rendered. */
export const FRONT_ENDS: readonly FrontEnd[] = [flux, kro];

/** The same languages, one of them with more ears: `other` has the name of the one that it is in for. */
export const withFrontEnd = (other: FrontEnd, all = FRONT_ENDS): readonly FrontEnd[] =>
  all.map((one) => (one.name === other.name ? other : one));
