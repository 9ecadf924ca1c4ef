export { getCommand, getLine, shellWord } from './get.ts';
