/** The interface of a template language: kro's RGDs and Flux ResourceSets implement it. */

export type { PendingValue } from './awaited.ts';
export type { Api, Context, FrontEnd, Ordering, Outcome, Outline, Package, Session, Surveyed } from './front-end.ts';
export { reportNotKnown } from './not-known.ts';
export { readPackage } from './package.ts';
export { renderedInputs } from './rendered-inputs.ts';
export { NAMED_IN_SECRETS, type Review, reviewAlone } from './review.ts';
export { distinct, roleOf } from './roles.ts';
export { MAX_DEPTH, reportTooDeep } from './too-deep.ts';
