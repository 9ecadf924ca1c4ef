/** What an RGD offers, as a page. */

export { referencePage } from './page.ts';
