export * from './annotations.ts';
export * from './edits.ts';
export * from './values.ts';
