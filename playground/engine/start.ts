/** The worker that renders. */
export const startEngine = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'engine' });

/** Starts the same files as a worker with the language server: they are loaded once. */
export const startLanguageServer = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'language' });
