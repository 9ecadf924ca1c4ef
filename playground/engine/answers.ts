import { toYaml } from '../../src/api/index.ts';
import type { ObjectSource } from '../../src/api/types.ts';
import type { Verb, Verbs } from './protocol.ts';
import { renderPackage } from './render.ts';
import { loadTransliteration } from './transliteration.ts';

type Lazy = { readonly [V in Verb]: () => Promise<Verbs[V]> | Verbs[V] };

/** All requests of the engine. Modules that the first rendering does not need are loaded on demand. */
const verbs: Lazy = {
  render: () => renderPackage,
  check: async () => (await import('./check.ts')).checkPackage,
  command: async () => (await import('./command.ts')).commandOutput,
  yaml: () => (object) => toYaml([object as ObjectSource]),
  pending: async () => (await import('./fill-in.ts')).pendingRows,
  fillIn: async () => (await import('./fill-in.ts')).filledIn,
  kinds: async () => (await import('./kinds.ts')).kindsOf,
  form: async () => (await import('./kinds.ts')).formOf,
  graph: async () => (await import('./graphs.ts')).graphsOf,
  origin: async () => (await import('./origin.ts')).originOf,
  cel: async () => (await import('./cel.ts')).celAnswer,
  celFunctions: async () => (await import('./cel.ts')).celFunctions,
  template: async () => (await import('./template.ts')).renderTemplate,
  templateFunctions: async () => (await import('./template.ts')).templateFunctions,
};

/** Answers a request. @throws Error for an invalid request */
export async function answer(verb: Verb, args: readonly unknown[]): Promise<unknown> {
  if (!Object.hasOwn(verbs, verb)) throw new Error(`the engine has no ${verb}`);
  await loadTransliteration(args);
  const run = (await verbs[verb]()) as (...given: readonly unknown[]) => unknown;
  return run(...args);
}
