import { PassThrough } from 'node:stream';
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { serve } from '../../src/language-server/index.ts';
import type { Message, Wire } from './editor.ts';

/** A server in this process, with streams in place of standard input and output. */
export function streamWire(): Wire {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  serve(connection, {
    version: 'test',
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  connection.listen();
  return {
    send: (message) => {
      const body = Buffer.from(JSON.stringify(message));
      input.write(`Content-Length: ${body.length}\r\n\r\n`);
      input.write(body);
    },
    listen: (onMessage) => readFrames(output, onMessage),
    close: () => connection.dispose(),
  };
}

/** Reads messages with their headers. */
export function readFrames(stream: NodeJS.ReadableStream, onMessage: (message: Message) => void): void {
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || rest.length < end + 4 + length) return;
      const body = rest.subarray(end + 4, end + 4 + length).toString();
      rest = rest.subarray(end + 4 + length);
      onMessage(JSON.parse(body) as Message);
    }
  });
}
