import { Transform } from 'node:stream';
import { MOST_BYTES } from './regular-file.ts';

/** The most characters of the headers of a message; clients send less than a hundred. */
const MOST_HEADERS = 4096;

/**
 * Passes the messages of a client on unchanged, and calls `onFault` instead at the first header that says no valid
 * length: nothing after it can be read. The reader of messages behind it would wait for ever, or allocate the length.
 */
export function checkFrames(onFault: (fault: string) => void): Transform {
  let headers = '';
  let body = 0;
  const faultIn = (chunk: Buffer): string | undefined => {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(body, chunk.length - at);
      body -= skipped;
      at += skipped;
      while (body === 0 && at < chunk.length) {
        headers += String.fromCharCode(chunk[at] as number);
        at += 1;
        if (headers.length > MOST_HEADERS) return `the headers of a message have more than ${MOST_HEADERS} characters`;
        if (/(?<!\r)\n$/.test(headers)) return 'a line of the headers of a message does not end with CR LF';
        if (!headers.endsWith('\r\n\r\n')) continue;
        const length = lengthIn(headers);
        if (typeof length === 'string') return length;
        headers = '';
        body = length;
      }
    }
    return undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const fault = faultIn(chunk);
      if (fault === undefined) done(undefined, chunk);
      else onFault(fault);
    },
  });
}

/** Returns the length of a message, or why its headers are invalid. */
function lengthIn(headers: string): number | string {
  const lines = headers.slice(0, -4).split('\r\n');
  const odd = lines.find((line) => !/^[\w-]+:/.test(line));
  if (odd !== undefined) return `${JSON.stringify(odd)} is not a header of a message`;
  const lengths = lines
    .filter((line) => /^content-length:/i.test(line))
    .map((line) => line.replace(/^.*?:/, '').trim());
  const [length = ''] = lengths;
  if (lengths.length !== 1) return `a message has ${lengths.length} headers Content-Length, expected 1`;
  if (!/^\d+$/.test(length)) return `Content-Length is ${JSON.stringify(length)}, expected a number of bytes`;
  return Number(length) <= MOST_BYTES ? Number(length) : `Content-Length is ${length}, more than ${MOST_BYTES}`;
}
