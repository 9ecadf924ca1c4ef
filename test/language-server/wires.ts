import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import type { Message, Wire } from './editor.ts';
import { readFrames } from './stdio.ts';

/** Starts the built command, over standard input and output. */
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

/** What a web worker has and a worker of Node lacks. */
const SHIM = `
  const { parentPort, workerData } = require('node:worker_threads');
  globalThis.addEventListener = () => {};
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  const loaded = import(workerData);
  parentPort.on('message', (data) => loaded.then(() => globalThis.onmessage({ data })));
`;

/** Starts the built entry for web pages in a worker. */
export function workerWire(entry: string): Wire {
  const worker = new Worker(SHIM, { eval: true, workerData: entry });
  return {
    send: (message) => worker.postMessage(message),
    listen: (onMessage) => worker.on('message', (message: Message) => onMessage(message)),
    close: () => void worker.terminate(),
  };
}
