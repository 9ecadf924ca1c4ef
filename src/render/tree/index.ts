export { parseLayout } from './layout.ts';
export { LIST, type Owned, ownedText, parseOwned } from './owned.ts';
export { type Placeable, placeObjects } from './place.ts';
export { type Folder, type Plan, type Present, planTree, staleReports, summaryOf } from './plan.ts';
