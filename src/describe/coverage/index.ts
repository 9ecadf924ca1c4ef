/** What instances cover of RGDs: nodes, sides of conditions, sizes of collections, arms of expressions. */

export * from './coverage.ts';
