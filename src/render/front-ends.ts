import { flux } from '../flux/index.ts';
import { graph } from '../graph/index.ts';
import { kro } from '../kro/front-end.ts';
import type { FrontEnd } from '../kubernetes/front-end/index.ts';

/** The front ends. In each round, a front end gets the objects that earlier ones rendered. */
export const FRONT_ENDS: readonly FrontEnd[] = [flux, kro, graph];
