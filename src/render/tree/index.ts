export { type Placeable, parseLayout, placeObjects } from './place.ts';
export {
  type Folder,
  LIST,
  type Owned,
  ownedText,
  type Plan,
  type Present,
  parseOwned,
  planTree,
  staleReports,
  summaryOf,
} from './plan.ts';
