/**
 * Files of a commit in a repository. This folder contains every use of git. Nothing here changes the working tree, the
 * index or the repository, and no configuration of a repository starts a program: see SECURITY.md.
 */

export { type Checkout, checkOut, namesOfRefs } from './commit.ts';
export { readVersionsOf } from './versions.ts';
