import { toYaml } from '../../src/api/index.ts';
import type { ObjectSource } from '../../src/api/types.ts';
import { isDeep } from '../editor/depth.ts';
import { loadControllerKinds } from './controller-kinds.ts';
import { loadAllFrontEnds, loadFrontEnds } from './front-ends.ts';
import { loadKubernetesMinors } from './kubernetes-minors.ts';
import { NotLoaded } from './not-loaded.ts';
import type { Checked, Package, Rendered, Verb, Verbs } from './protocol.ts';
import { renderPackage } from './render.ts';
import { loadTransliteration } from './transliteration.ts';

type Lazy = { readonly [V in Verb]: () => Promise<Verbs[V]> | Verbs[V] };

/** All requests of the engine. Modules that the first rendering does not need are loaded on demand. */
const verbs: Lazy = {
  prefetch: async () => {
    const others = Object.entries(verbs).filter(([verb]) => verb !== 'prefetch');
    await Promise.all(others.map(([, load]) => load()));
    return () => true;
  },
  render: () => renderPackage,
  partial: async () => (await import('./partial.ts')).partialObjects,
  check: async () => (await import('./check.ts')).checkPackage,
  command: async () => (await import('./command.ts')).commandOutput,
  extract: async () => (await import('./extract.ts')).extractCopies,
  yaml: () => (object) => toYaml([object as ObjectSource]),
  pending: async () => (await import('./fill-in.ts')).pendingRows,
  skipped: async () => (await import('./skipped.ts')).skippedNodes,
  baseline: () => renderPackage,
  fillIn: async () => (await import('./fill-in.ts')).filledIn,
  kinds: async () => (await import('./kinds.ts')).kindsOf,
  form: async () => (await import('./kinds.ts')).formOf,
  graph: async () => (await import('./graphs.ts')).graphsOf,
  origin: async () => (await import('./origin.ts')).originOf,
  expression: async () => (await import('./expression.ts')).expressionAt,
};

/** Answers a request. @throws Error for an invalid request */
export async function answer(verb: Verb, args: readonly unknown[]): Promise<unknown> {
  if (!Object.hasOwn(verbs, verb)) throw new Error(`the engine has no ${verb}`);
  const request = JSON.stringify(args);
  await Promise.all([loadTransliteration(request), verb === 'render' ? loadFrontEnds(request) : loadAllFrontEnds()]);
  const run = (await verbs[verb]()) as (...given: readonly unknown[]) => unknown;
  try {
    return run(...args);
  } catch (error) {
    if (error instanceof NotLoaded) {
      await Promise.all([loadKubernetesMinors(), loadControllerKinds()]);
      return answer(verb, args);
    }
    // A worker has half of the stack of a command.
    // sentence: an engine gives no code of the error
    if (!(error instanceof RangeError) || !/stack/.test(error.message)) throw error;
    if (verb === 'render') return { objects: [], diagnostics: [tooDeep(args[0] as Package)] } satisfies Rendered;
    if (verb === 'check') return { diagnostics: [], unchecked: `the package is ${DEEP}` } satisfies Checked;
    throw new Error(`it is ${DEEP}`);
  }
}

const DEEP = 'nested too deep for this page';

/** Returns the error of a package that runs out of stack, at its deepest file. */
function tooDeep({ files }: Package): Rendered['diagnostics'][0] {
  const deepest = files.find(({ text }) => isDeep(text)) ?? files[0];
  const message = `${deepest === undefined ? 'the package' : 'the file'} is ${DEEP}`;
  return {
    severity: 'error',
    code: 'yaml-syntax',
    stage: 'parse',
    message,
    ...(deepest && { file: deepest.name, line: 1, column: 1 }),
  };
}
