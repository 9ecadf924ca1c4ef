export * from './flatten.ts';
export * from './secret-ranges.ts';
export * from './yaml.ts';
