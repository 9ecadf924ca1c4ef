/** What an RGD offers, as a page. */

export { INJECTED, inject } from './inject.ts';
export { type PageOptions, referencePage } from './page.ts';
