/** Renders the versions of a package that are compared. */

export * from './compared.ts';
export * from './version.ts';
