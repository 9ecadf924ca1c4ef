/** Loads the language server, a file of its own that other commands do not need. */
export const loadLanguageServer = () => import('./lsp-server.ts');
