/** The interface of a template language: kro's RGDs and Flux ResourceSets implement it. */

export type { Context, FrontEnd, Ordering, Outcome, Outline, Package, Session } from './front-end.ts';
export { reportNotKnown } from './not-known.ts';
export { readPackage } from './package.ts';
export { renderedInputs } from './rendered-inputs.ts';
export { NAMED_IN_SECRETS, type Review, reviewAlone } from './review.ts';
export { distinct, roleOf } from './roles.ts';
export type { LiveRead, LiveReads, ObjectName, PendingValue, Surveyed } from './survey.ts';
export { reportTooDeep } from './too-deep.ts';
export { isUnknown, unknownIn } from './unknown.ts';
