// What the command line loads when it is asked for: Node parses the rest at every start.
export * as commands from './commands.ts';
export { helpText } from './help.ts';
