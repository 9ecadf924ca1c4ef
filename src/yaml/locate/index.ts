export * from './format.ts';
export * from './locate.ts';
