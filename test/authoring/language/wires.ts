import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import type { Message, Wire } from './editor.ts';
import { readFrames } from './stdio.ts';

/** The built command, over standard input and output. */
export function commandWire(bundle: string): Wire {
  const child = spawn(process.execPath, [bundle, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return {
    send: (message) => {
      const body = Buffer.from(JSON.stringify(message));
      child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
      child.stdin.write(body);
    },
    listen: (onMessage) => readFrames(child.stdout, onMessage),
    close: () => child.stdin.end(),
  };
}

/** What a worker of a page has and one of Node has not. */
const SHIM = `
  const { parentPort, workerData } = require('node:worker_threads');
  globalThis.addEventListener = () => {};
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  const loaded = import(workerData);
  parentPort.on('message', (data) => loaded.then(() => globalThis.onmessage({ data })));
`;

/** The built entry for pages, in a worker. */
export function workerWire(entry: string): Wire {
  const worker = new Worker(SHIM, { eval: true, workerData: entry });
  return {
    send: (message) => worker.postMessage(message),
    listen: (onMessage) => worker.on('message', (message: Message) => onMessage(message)),
    close: () => void worker.terminate(),
  };
}
