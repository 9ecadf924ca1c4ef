/** Files of a commit in a repository. Does not change the working tree or the index. */

export { type Checkout, checkOut } from './check-out.ts';
export { readVersionsOf } from './versions.ts';
