import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openedFiles, pageWith } from '../../../src/cli/playground/opened.ts';
import { type Site, serve } from '../../../src/cli/playground/server.ts';

const TOKEN = 'a'.repeat(32);
const FILES = new Map([
  ['index.html', Buffer.from('<p>page</p>')],
  ['assets/a.js', Buffer.from('1')],
]);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function start(more: Partial<Site> = {}): Promise<number> {
  const server = await serve({ files: FILES, token: TOKEN, ...more }, 0);
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

interface Answer {
  code: number | undefined;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
}

function ask(port: number, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
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

    it('accepts a file from its own page', async () => {
      const written: string[] = [];
      const port = await start({ save: (name, text) => void written.push(name, text) });
      const body = JSON.stringify({ name: 'a.yaml', text: 'a: 1' });
      expect(await ask(port, `/${TOKEN}/save`, json(port), body)).toMatchObject({ code: 200 });
      expect(written).toEqual(['a.yaml', 'a: 1']);
    });

    it('rejects requests without a token, from a form, from another origin, or in another format', async () => {
      const written: string[] = [];
      const port = await start({ save: (name) => void written.push(name) });
      const body = JSON.stringify({ name: 'a.yaml', text: '' });
      const path = `/${TOKEN}/save`;
      expect(await ask(port, '/save', json(port), body)).toMatchObject({ code: 403 });
      expect(await ask(port, path, { ...json(port), 'content-type': 'text/plain' }, body)).toMatchObject({ code: 415 });
      expect(await ask(port, path, { 'content-type': 'application/json' }, body)).toMatchObject({ code: 415 });
      expect(await ask(port, path, { ...json(port), origin: 'http://evil.example' }, body)).toMatchObject({
        code: 403,
      });
      for (const shape of ['', '[]', 'null', '{"name":1,"text":""}']) {
        expect(await ask(port, path, json(port), shape)).toMatchObject({ code: 400 });
      }
      expect(written).toEqual([]);
    });

    it('reports why a file was not written', async () => {
      const port = await start({ save: (name) => `${name} was not opened` });
      const body = JSON.stringify({ name: '/etc/passwd', text: '' });
      expect(await ask(port, `/${TOKEN}/save`, json(port), body)).toMatchObject({
        code: 409,
        body: '/etc/passwd was not opened\n',
      });
    });

    it('does not write other files', async () => {
      const port = await start();
      expect(await ask(port, `/${TOKEN}/save`, json(port), '{"name":"a","text":""}')).toMatchObject({ code: 405 });
    });
  });
});

describe('the files opened in the playground', () => {
  it('have unique names relative to a folder', () => {
    const files = (...names: string[]) => names.map((file) => ({ file, text: '' }));
    const opened = openedFiles([
      ['objects', files('a.yaml', './b.yaml', '../c/a.yaml', '/a.yaml')],
      ['definitions', files('a.yaml')],
    ]);
    expect(opened.map(({ name, path }) => [name, path])).toEqual([
      ['a.yaml', 'a.yaml'],
      ['b.yaml', './b.yaml'],
      ['c/a.yaml', '../c/a.yaml'],
      ['2/a.yaml', '/a.yaml'],
      ['3/a.yaml', 'a.yaml'],
    ]);
  });

  it('are escaped in the element that contains them', () => {
    const opened = openedFiles([['objects', [{ file: 'a.yaml', text: '</script><script>$&' }]]]);
    const html = Buffer.from(pageWith(Buffer.from("connect-src 'none' <body></body>"), opened, true)).toString();
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).toContain("connect-src 'self'");
    expect(html).toContain('script>$&"');
  });
});
