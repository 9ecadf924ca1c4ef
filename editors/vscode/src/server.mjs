// Starts the language server in the runtime of the editor.
import { serveStdio } from './lsp.mjs';

serveStdio('vscode');
