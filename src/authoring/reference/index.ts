/** The reference page of an RGD. */

export { INJECTED, inject } from './inject.ts';
export { referencePage } from './page.ts';
