/** The worker that renders. */
export const startEngine = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'engine' });

/** The same files as a worker that is the language server: they are loaded once. */
export const startLanguageServer = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'language' });
