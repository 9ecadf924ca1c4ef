/** Changes of files by one process at a time: a run that is killed or that loses its lock leaves no part of a file. */
export { type Change, replaceFault, replaceFile, replaceFiles } from './replace.ts';
export { causeOf, enterWorkspace, INSIDE, isUsed, PARTS, placeBeside, statAt, type Workspace } from './workspace.ts';
