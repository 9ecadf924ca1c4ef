import type { Engine } from '../engine/client.ts';

/** Everything that the page loads on demand. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('../panels/graph.ts'),
  () => import('../panels/changes.ts'),
  () => import('../panels/schema.ts'),
  () => import('../panels/notes.ts'),
  () => import('../editor/difference.ts'),
  () => import('../editor/marks.ts'),
  () => import('../lessons/index.ts'),
  () => import('../state/share.ts'),
  () => import('../state/archive.ts'),
  () => import('../state/opened.ts'),
  () => import('virtual:example-files'),
  () => import('./commands.ts'),
  () => import('./palette.ts'),
  () => import('./add.ts'),
  () => import('./extract.ts'),
  () => import('./conflicts.ts'),
  () => import('./copies.ts'),
];

/**
 * Loads the other parts when the page is idle, so that it works offline and after a new version was deployed. A part
 * that cannot be loaded is loaded again when it is opened.
 */
export async function prefetch(engine: Engine): Promise<void> {
  for (const load of PARTS) {
    await new Promise((resolve) => {
      if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 10_000 });
      else setTimeout(resolve, 50);
    });
    await load().catch(() => undefined);
  }
  await engine.ask('prefetch').catch(() => undefined);
  document.documentElement.dataset.prefetched = '';
}
