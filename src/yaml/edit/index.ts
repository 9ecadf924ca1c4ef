export * from './annotations.ts';
export * from './edits.ts';
