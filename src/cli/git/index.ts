/** Every use of git: nothing changes the repository, and none of its configuration starts a program (SECURITY.md). */

export { checkOut, namesOfRefs } from './commit.ts';
export { readVersionsOf } from './versions.ts';
