import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { Editor } from '../language-server/editor.ts';
import { answerAt, type Case, cases, isRight } from '../language-server/markers.ts';
import { referencesOf, workspacesBelow } from '../language-server/masked.ts';
import { commandWire, workerWire } from '../language-server/wires.ts';
import { partOf } from '../properties/runs.ts';
import { bundle, execute, findTool } from './sandbox.ts';

const worker = pathToFileURL(join(dirname(bundle), 'language-worker.mjs')).href;

/** Returns the answers at every marker of a case. */
async function answersOf(editor: Editor, { name, texts, markers }: Case): Promise<string[]> {
  const folder = `file:///${name}`;
  await editor.start();
  for (const [file, text] of texts) editor.open(`${folder}/${file}`, text);
  if (markers.some(({ what }) => what === 'diagnostic')) await editor.until(() => editor.diagnostics.size > 0);
  const answers: string[] = [];
  for (const marker of markers) answers.push(await answerAt(editor, folder, marker));
  await editor.stop();
  return answers;
}

describe('the built language server', () => {
  it.each(cases())('has equal results over stdio and in a worker: $name', async (one) => {
    const stdio = await answersOf(new Editor(commandWire(bundle)), one);
    expect(await answersOf(new Editor(workerWire(worker)), one)).toEqual(stdio);
    expect(one.markers.filter((marker, index) => !isRight(marker, stdio[index] ?? ''))).toEqual([]);
  });
});

describe('the setting kro', () => {
  const uri = 'file:///rack/rgd.yaml';
  // kro 0.9.4 renders nothing of its collection, and 0.10 waits for the second list.
  const input = new URL('../conformance/kro-0.10/012-foreach-empty-then-absent/input.yaml', import.meta.url);
  const rack = readFileSync(input, 'utf8').replace("cols: '[]string'", "cols: '[]string'\n      color: string");

  it.each([
    ['over stdio', () => commandWire(bundle)],
    ['in a worker', () => workerWire(worker)],
  ])('adds what the upgrade changes, with its rewrite, %s', async (_, wire) => {
    const editor = new Editor(wire());
    const all = (): Diagnostic[] => editor.diagnostics.get(uri) ?? [];
    const codes = (): unknown[] => all().map(({ code }) => code);
    const change = (): Diagnostic | undefined => all().find(({ code }) => code === 'upgrade-change');
    const configure = (own: object): void =>
      editor.tell('workspace/didChangeConfiguration', { settings: { 'render-rgd': own } });
    await editor.start({ rootUri: 'file:///rack' });
    editor.open(uri, rack);
    await editor.until(() => all().length > 0);
    expect(codes()).toEqual(['lint-unread-field', 'lint-optional-read-unguarded']);

    configure({ kro: '0.10' });
    await editor.until(() => change() !== undefined);
    const one = change();
    expect(one?.message).toMatch(/^kro 0\.10: 'cell' was rendered, and is pending/);
    expect(one?.message).toContain('\nwrite ${schema.spec.?cols.orValue([])}: it has the same result in both');
    const actions = await editor.ask<CodeAction[]>('textDocument/codeAction', {
      ...{ textDocument: { uri }, range: one?.range, context: { diagnostics: [one] } },
    });
    const rewrite = actions.find(({ title }) => title === 'Write schema.spec.?cols.orValue([])');
    expect(rewrite?.edit?.changes?.[uri]).toMatchObject([{ newText: 'schema.spec.?cols.orValue([])' }]);

    configure({});
    await editor.until(() => change() === undefined);
    expect(codes()).toEqual(['lint-unread-field', 'lint-optional-read-unguarded']);
    configure({ kro: '0.10' });
    await editor.until(() => change() !== undefined);
    editor.tell('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: rack.replace('schema.spec.cols', 'schema.spec.?cols.orValue([])') }],
    });
    await editor.until(() => change() === undefined);
    expect(codes()).toEqual(['lint-unread-field']);
    await editor.stop();
  });
});

const examples = new URL('../../examples/', import.meta.url).pathname;

/** Returns the answers at every reference of the RGDs below a folder. */
async function answersAtReferences(
  editor: Editor,
): Promise<{ name: string; labels: string[]; hover: string; places: number }[]> {
  const answers: { name: string; labels: string[]; hover: string; places: number }[] = [];
  await editor.start();
  for (const [folder, language] of workspacesBelow(examples)) {
    const references = referencesOf(language);
    const files = references.length === 0 ? [] : [...language.workspace.files.values()];
    for (const { uri, text } of files) editor.open(uri, text);
    for (const { uri, start, name } of references) {
      const position = language.workspace.files.get(uri)?.positionAt(start + 1) ?? { line: 0, character: 0 };
      const labels = (await editor.complete(uri, position)).slice(0, 3);
      const hover = await editor.hover(uri, position);
      answers.push({ name, labels, hover, places: (await editor.definition(uri, position)).length });
    }
    expect(folder).not.toBe('');
  }
  await editor.stop();
  return answers;
}

describe('the references of the examples', () => {
  it('have equal completions and hovers over stdio and in a worker', async () => {
    const stdio = await answersAtReferences(new Editor(commandWire(bundle)));
    expect(stdio.length).toBeGreaterThan(200);
    expect(await answersAtReferences(new Editor(workerWire(worker)))).toEqual(stdio);
    expect(stdio.filter(({ name, labels }) => !labels.includes(name))).toEqual([]);
    expect(stdio.filter(({ hover }) => hover === '')).toEqual([]);
  });
});

describe('a client that sends no messages', () => {
  const INITIALIZE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } });
  const framed = (headers: string): string => `Content-Length: ${INITIALIZE.length}\r\n\r\n${INITIALIZE}${headers}`;

  const HEADERS: readonly [headers: string, reason: string][] = [
    ['Content-Length: 1000000000000\r\n\r\n{}', 'Content-Length is 1000000000000, more than 268435456'],
    [`Content-Length: ${'9'.repeat(400)}\r\n\r\n{}`, 'Content-Length is 999'],
    ['Content-Length: -1\r\n\r\n{}', 'Content-Length is "-1", expected a number of bytes'],
    ['Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', 'a message has 2 headers Content-Length, expected 1'],
    ['Content-Length: 2\r\ncontent-length: 3\r\n\r\n{}', 'a message has 2 headers Content-Length'],
    ['Content-Type: text/plain\r\n\r\n{}', 'a message has 0 headers Content-Length'],
    ['\r\n\r\n{}', '"" is not a header of a message'],
    ['Content-Length: two\r\n\r\n{}', 'Content-Length is "two", expected a number of bytes'],
    ['Content-Length: 2.5\r\n\r\n{}', 'Content-Length is "2.5"'],
    ['Content-Length: 1e3\r\n\r\n{}', 'Content-Length is "1e3"'],
    ['Content-Length: 0x10\r\n\r\n{}', 'Content-Length is "0x10"'],
    ['Content-Length: Infinity\r\n\r\n{}', 'Content-Length is "Infinity"'],
    ['Content-Length:\r\n\r\n{}', 'Content-Length is ""'],
    ['Content-Length: 2\n\n{}', 'a line of the headers of a message does not end with CR LF'],
    ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '"GET / HTTP/1.1" is not a header of a message'],
    ['{"jsonrpc": "2.0"}'.repeat(300), 'the headers of a message have more than 4096 characters'],
  ];
  it.each(partOf(HEADERS, 4))('ends the server with the reason: %j', async (headers, reason) => {
    for (const input of [headers, framed(headers)]) {
      // Standard input stays open: the end of the input would end the server too.
      const server = spawn(process.execPath, ['--max-old-space-size=200', bundle, 'lsp', '--stdio']);
      let stderr = '';
      server.stderr.on('data', (text) => {
        stderr += text;
      });
      server.stdin.write(input);
      const code = await new Promise((done) => server.on('close', done));
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`render-rgd lsp: ${reason}`) });
    }
  });

  it('is answered as long as its messages are valid, however they arrive', async () => {
    const server = spawn(process.execPath, [bundle, 'lsp', '--stdio']);
    const answer = new Promise((done) => server.stdout.once('data', (text) => done(String(text))));
    const message = Buffer.from(`Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n${framed('')}`);
    for (const byte of message) {
      server.stdin.write(Buffer.of(byte));
      await new Promise((done) => setImmediate(done));
    }
    expect(await answer).toContain('Content-Length');
    server.kill();
  });
});

const nvim = findTool('nvim');
const [{ texts } = { texts: new Map<string, string>() }] = cases().filter(({ name }) => name === 'rgd.yaml');

/** Attaches the server to two buffers, and writes the results of Neovim to a file. */
const script = (folder: string): string => `
  local folder = ${JSON.stringify(folder)}
  local results = {}
  local id = vim.lsp.start_client({
    name = 'render-rgd',
    cmd = { ${JSON.stringify(process.execPath)}, ${JSON.stringify(bundle)}, 'lsp', '--stdio' },
    root_dir = folder,
  })
  vim.cmd('edit ' .. folder .. '/app.yaml')
  vim.lsp.buf_attach_client(0, id)
  vim.cmd('edit ' .. folder .. '/rgd.yaml')
  vim.lsp.buf_attach_client(0, id)
  vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  results.diagnostics = vim.tbl_map(function(one) return one.code or one.user_data.lsp.code end, vim.diagnostic.get(0))
  local row = vim.fn.search('schema.spec.image}')
  local column = vim.fn.match(vim.fn.getline(row), 'image}', 0, 1)
  local column = vim.fn.strridx(vim.fn.getline(row), 'image}')
  vim.api.nvim_win_set_cursor(0, { row, column })
  local params = vim.lsp.util.make_position_params()
  local function ask(method, more)
    local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, more or {}), 60000)
    return answers[id] and answers[id].result
  end
  results.completion = vim.tbl_map(function(item) return item.label end, ask('textDocument/completion'))
  results.definition = ask('textDocument/definition')[1].range.start.line
  results.hover = ask('textDocument/hover').contents.value
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { newName = 'picture' }), 'utf-16')
  results.renamed = vim.fn.getline(row)
  vim.cmd('buffer app.yaml')
  results.other = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')
  local file = io.open(folder .. '/results.json', 'w')
  file:write(vim.json.encode(results))
  file:close()
  vim.lsp.stop_client(id)
  vim.cmd('qa!')
`;

describe('Neovim', () => {
  const inNeovim = (): void => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-nvim-'));
    try {
      for (const [file, text] of texts) writeFileSync(join(folder, file), text);
      writeFileSync(join(folder, 'script.lua'), script(folder));
      execute(nvim ?? '', ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${folder}/script.lua`], {
        cwd: folder,
      });
      const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
      expect(results.diagnostics).toContain('expression-type');
      expect(results.completion.slice(0, 3)).toContain('image');
      expect(results.definition).toBe(10);
      expect(results.hover).toContain('image: string');
      expect(results.renamed).toContain('schema.spec.picture');
      expect(results.other).toContain('picture: nginx:1');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  if (nvim !== undefined || process.env.CI === 'true')
    it('shows diagnostics, completes, finds definitions and renames', inNeovim);
  else it.skip('shows diagnostics, completes, finds definitions and renames (nvim is not installed)', inNeovim);
});
