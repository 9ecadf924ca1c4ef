/** The interface of a template language: kro's RGDs and Flux ResourceSets implement it. */

export {
  type Context,
  type FrontEnd,
  type LiveRead,
  type LiveReads,
  NAMED_IN_SECRETS,
  type ObjectName,
  type Ordering,
  type Outcome,
  type Outline,
  type Package,
  type PendingValue,
  type Review,
  reviewAlone,
  type Session,
  type Surveyed,
} from './front-end.ts';
export { distinct, readPackage, reportNotKnown, reportTooDeep, roleOf } from './not-known.ts';
export { renderedInputs } from './rendered-inputs.ts';
export { isUnknown, unknownIn } from './unknown.ts';
