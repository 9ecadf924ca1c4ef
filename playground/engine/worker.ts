/** The worker: runs the project's library, or its language server, outside of the thread that draws the page. */

import type { Message, Request } from './protocol.ts';

declare const RENDER_RGD_VERSION: string;

interface Scope {
  readonly name: string;
  postMessage(message: Message): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

const scope = self as unknown as Scope;

async function serveEngine(): Promise<void> {
  const { answer } = await import('./answers.ts');
  scope.onmessage = async ({ data: { id, verb, args } }) => {
    try {
      scope.postMessage({ id, value: await answer(verb, args) });
    } catch (error) {
      scope.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
    }
  };
}

async function serveLanguage(): Promise<void> {
  const { loadAllFrontEnds } = await import('./front-ends.ts');
  const { loadKubernetesMinors } = await import('./kubernetes-minors.ts');
  const { loadControllerKinds } = await import('./controller-kinds.ts');
  await Promise.all([loadAllFrontEnds(), loadKubernetesMinors(), loadControllerKinds()]);
  await import('../../src/api/language-worker.ts');
}

await (scope.name === 'language' ? serveLanguage() : serveEngine());
scope.postMessage({ ready: RENDER_RGD_VERSION });
