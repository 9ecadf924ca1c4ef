/** The reference page of an RGD. */

export { INJECTED, inject } from './inject.ts';
export { type PageOptions, referencePage } from './page.ts';
