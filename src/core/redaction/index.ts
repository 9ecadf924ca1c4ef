export * from './manifest.ts';
export * from './secrecy.ts';
