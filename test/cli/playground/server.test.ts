import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Site, serve } from '../../../src/cli/playground/run.ts';
import type { Saved } from '../../../src/cli/write/index.ts';

const TOKEN = 'a'.repeat(32);
const FILES = new Map([
  ['index.html', Buffer.from('<p>page</p>')],
  ['assets/a.js', Buffer.from('1')],
]);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Save = (name: string, text: string, digest: string) => Saved;

async function start(save?: Save): Promise<number> {
  const opened: Site['opened'] = {
    page: () => Buffer.from('<p>page</p>'),
    snapshot: () => ({ files: [], left: [] }),
    stamp: () => 'stamp',
    ...(save && { save }),
  };
  const server = await serve({ files: FILES, token: TOKEN, opened }, 0);
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

interface Answer {
  code: number | undefined;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
}

function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ code: answer.statusCode, body: text, headers: answer.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the server of the playground', () => {
  it('listens on 127.0.0.1 only', async () => {
    const server = await serve({ files: FILES, token: TOKEN }, 0);
    servers.push(server);
    expect(server.address()).toMatchObject({ address: '127.0.0.1' });
  });

  it('serves the page and its files below the token', async () => {
    const port = await start();
    expect(await ask(port, `/${TOKEN}/`)).toMatchObject({
      code: 200,
      body: '<p>page</p>',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      },
    });
    expect(await ask(port, `/${TOKEN}/assets/a.js?x`)).toMatchObject({ code: 200, body: '1' });
  });

  it.each(['/', '/index.html', `/${'b'.repeat(32)}/`, `/${TOKEN.slice(1)}/`, `/${TOKEN}a/`, '//'])(
    'serves nothing at %s',
    async (path) => {
      expect(await ask(await start(), path)).toMatchObject({ code: 403 });
    },
  );

  it.each(['/../secret', '/%2e%2e/secret', '/assets', '/assets/../index.html'])('has no file %s', async (path) => {
    expect(await ask(await start(), `/${TOKEN}${path}`)).toMatchObject({ code: 404 });
  });

  it('rejects other host names, and pages of another origin', async () => {
    const port = await start();
    const refused: Record<string, string>[] = [
      { host: `evil.example:${port}` },
      { host: '127.0.0.1' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `https://127.0.0.1:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of refused) {
      expect(await ask(port, `/${TOKEN}/`, headers), JSON.stringify(headers)).toMatchObject({ code: 403 });
    }
    expect(await ask(port, `/${TOKEN}/`, { host: `localhost:${port}` })).toMatchObject({ code: 200 });
  });

  describe('with --write', () => {
    const json = (port: number) => ({ 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` });

    const file = JSON.stringify({ name: 'a.yaml', text: 'a: 1', digest: 'd' });

    it('accepts a file from its own page', async () => {
      const written: string[] = [];
      const port = await start((...given) => {
        written.push(...given);
        return { state: 'written', digest: 'e' };
      });
      expect(await ask(port, `/${TOKEN}/save`, json(port), file)).toMatchObject({
        code: 200,
        body: '{"digest":"e"}\n',
      });
      expect(written).toEqual(['a.yaml', 'a: 1', 'd']);
    });

    it('rejects requests without a token, from a form, from another origin, or in another format', async () => {
      const written: string[] = [];
      const port = await start((name) => {
        written.push(name);
        return { state: 'written', digest: '' };
      });
      const path = `/${TOKEN}/save`;
      expect(await ask(port, '/save', json(port), file)).toMatchObject({ code: 403 });
      expect(await ask(port, path, { ...json(port), 'content-type': 'text/plain' }, file)).toMatchObject({ code: 415 });
      expect(await ask(port, path, { 'content-type': 'application/json' }, file)).toMatchObject({ code: 415 });
      expect(await ask(port, path, { ...json(port), origin: 'http://evil.example' }, file)).toMatchObject({
        code: 403,
      });
      for (const shape of [
        '',
        '[]',
        'null',
        '{"name":1,"text":""}',
        Buffer.from('{"name":"a","text":"\xff"}', 'latin1'),
      ]) {
        expect(await ask(port, path, json(port), shape)).toMatchObject({ code: 400 });
      }
      expect(await ask(port, path, json(port), '{"name":"a","text":""}')).toMatchObject({ code: 428 });
      expect(written).toEqual([]);
    });

    it('reports why a file was not written, and returns a file that changed', async () => {
      const refused = await start(() => ({ state: 'refused', fault: 'it is a link' }));
      expect(await ask(refused, `/${TOKEN}/save`, json(refused), file)).toMatchObject({
        code: 403,
        body: 'it is a link\n',
      });
      const changed = await start(() => ({ state: 'changed', file: { text: 'b', digest: 'e' } }));
      expect(await ask(changed, `/${TOKEN}/save`, json(changed), file)).toMatchObject({
        code: 409,
        body: '{"file":{"text":"b","digest":"e"}}\n',
      });
    });
  });

  it('writes nothing without --write, and returns the files as they are now', async () => {
    const port = await start();
    const origin = { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` };
    expect(await ask(port, `/${TOKEN}/save`, origin, '{"name":"a","text":"","digest":""}')).toMatchObject({
      code: 405,
    });
    expect(await ask(port, `/${TOKEN}/opened.json`)).toMatchObject({ code: 200, body: '{"files":[],"left":[]}' });
    expect(await ask(port, `/${TOKEN}/stamp`)).toMatchObject({ code: 200, body: 'stamp' });
  });
});
