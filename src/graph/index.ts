/** The kind Graph of kro 0.10, an experiment: a list of nodes that is its own instance. */

export { scopesOfGraph } from './compile.ts';
export { graph, graphWith } from './front-end.ts';
export { isGraph } from './read.ts';
