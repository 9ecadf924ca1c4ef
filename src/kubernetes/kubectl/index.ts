export { getCommand, getLine } from './get.ts';
export { shellWord } from './shell.ts';
