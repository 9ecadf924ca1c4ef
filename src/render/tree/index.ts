export { type Placeable, parseLayout, placeObjects } from './place.ts';
export * from './plan.ts';
