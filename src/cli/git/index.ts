/** Files of a repository as a commit has them. Neither the working tree nor the index is touched. */

export { type Checkout, checkOut } from './check-out.ts';
export { type RepositoryVersions, readVersionsOf } from './versions.ts';
