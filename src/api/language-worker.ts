/**
 * The language server for a page: the Language Server Protocol over the messages of a worker, each a JSON-RPC message as
 * it is, without a header.
 *
 *     const worker = new Worker(new URL('render-rgd/language-worker', import.meta.url), { type: 'module' });
 *     worker.postMessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {
 *       processId: null, rootUri: null, capabilities: {...},
 *       initializationOptions: {
 *         settings: { namespace: 'apps' },                       // as in docs/editors.md
 *         files: { 'file:///platform/crds.yaml': '...' },        // files that are there without being opened
 *       },
 *     } });
 *     worker.postMessage({ jsonrpc: '2.0', method: 'initialized', params: {} });
 *
 * Open files with `textDocument/didOpen`; their URIs say in which folder they lie (`file:///app/rgd.yaml`). Files of one
 * folder are one package. A client that names `textDocument.diagnostic` among its capabilities pulls diagnostics, to any
 * other they are pushed (`textDocument/publishDiagnostics`), 150 milliseconds after the last change.
 */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { serve } from '../language-server/index.ts';

/** The build replaces it with the version in package.json. */
declare const RENDER_RGD_VERSION: string;

/** The used part of the global scope of a worker: the project does not include the types of browsers. */
type Port = ConstructorParameters<typeof BrowserMessageReader>[0];

const port = globalThis as unknown as Port;
const connection = createConnection(new BrowserMessageReader(port), new BrowserMessageWriter(port));
serve(connection, {
  version: RENDER_RGD_VERSION,
  descriptions: async () => (await import('../../data/kubernetes-descriptions.json')).default.text,
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});
connection.listen();
