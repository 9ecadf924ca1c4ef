import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../docs-run/page.ts';
import { npm, packInto } from './packed.ts';
import { browserPath } from './playground-page.ts';
import { bundle, execute } from './sandbox.ts';

const root = dirname(dirname(bundle));
const consumers = join(root, 'test/consumers');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'render-rgd-consumer-'));
  const tarball = packInto(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  expect(npm(['install', `./${tarball}`], project)).toMatchObject({ code: 0 });
  cpSync(consumers, project, { recursive: true });
}, 600_000);
afterAll(() => rmSync(project, { recursive: true }));

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  // The declarations are type-checked too.
  skipLibCheck: false,
  types: [],
  target: 'ES2022',
};

/** Compiles programs with these options of TypeScript; returns the errors. */
function compiled(files: readonly string[], options: object): string {
  const config = { compilerOptions: { ...STRICT, ...options }, files };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  const { code, stdout, stderr } = execute(process.execPath, [tsc, '-p', project], { cwd: project });
  return `${code}\n${stdout}${stderr}`;
}

const DOM = { lib: ['ES2022', 'DOM'] };
const EXPECTED = {
  objects: [1, 1, 1, 1, 0, 0],
  diagnostics: '',
  name: 'a',
  label: 'cm',
  line: 'apiVersion: v1',
  size: '{"size":"1152921504606846976"}',
  codes: ['yaml-syntax', 'no-such-code', 'never', 'library-option'],
  cel: [{ ok: true, value: true }, ['type'], true],
  tools: ['changed', true, 'included', 'flowchart', 1, 'Note', true],
};

function output(file: string): unknown {
  const { code, stdout, stderr } = execute(process.execPath, [file], { cwd: project });
  return code === 0 ? JSON.parse(stdout) : stderr;
}

describe('a program in TypeScript', () => {
  it('compiles with the resolution of Node, and runs', () => {
    const emit = { module: 'nodenext', moduleResolution: 'nodenext', outDir: 'out', ...DOM };
    expect(compiled(['program.ts'], emit)).toBe('0\n');
    expect(output('out/program.js')).toEqual(EXPECTED);
  });

  it('compiles as CommonJS, and runs', () => {
    writeFileSync(
      join(project, 'common.cts'),
      "import { render } from 'render-rgd';\nconsole.log(render({ objects: [] }).objects.length);\n",
    );
    const emit = { module: 'nodenext', moduleResolution: 'nodenext', outDir: 'out', ...DOM };
    expect(compiled(['common.cts'], emit)).toBe('0\n');
    expect(output('out/common.cjs')).toBe(0);
  });

  it('compiles with the resolution of bundlers, and runs when esbuild bundled it', async () => {
    const none = { module: 'preserve', moduleResolution: 'bundler', noEmit: true, ...DOM };
    expect(compiled(['program.ts'], none)).toBe('0\n');
    await esbuild.build({
      absWorkingDir: project,
      entryPoints: ['program.ts'],
      outfile: 'bundled.mjs',
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
    });
    expect(output('bundled.mjs')).toEqual(EXPECTED);
  });

  it('does not bundle the tools if it imports render only', async () => {
    const bundled = async (text: string): Promise<string[]> => {
      const { metafile } = await esbuild.build({
        absWorkingDir: project,
        stdin: { contents: text, resolveDir: project },
        bundle: true,
        format: 'esm',
        metafile: true,
        write: false,
      });
      const [output] = Object.values(metafile.outputs);
      const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      return inputs.map(([file]) => file.replace(/.*\/render-rgd\//, '')).sort();
    };
    expect(await bundled("import { render } from 'render-rgd'; console.log(render);")).toEqual([
      '<stdin>',
      'index.mjs',
      'renderer.mjs',
    ]);
    // Both must share one renderer.
    const both =
      "import { render } from 'render-rgd'; import { graph } from 'render-rgd/tools'; console.log(render, graph);";
    expect(await bundled(both)).toEqual(['<stdin>', 'index.mjs', 'renderer.mjs', 'tools.mjs']);
    const dagre = (file: string): boolean =>
      /dagre/.test(readFileSync(join(project, 'node_modules/render-rgd', file), 'utf8'));
    expect(['index.mjs', 'renderer.mjs', 'tools.mjs', 'cel.mjs'].filter(dagre)).toEqual(['tools.mjs']);
  });

  it('has type errors for wrong calls', () => {
    writeFileSync(join(project, 'wrong.ts'), "import { render } from 'render-rgd';\nrender({ objects: 'text' });\n");
    const none = { module: 'nodenext', moduleResolution: 'nodenext', noEmit: true, ...DOM };
    expect(compiled(['wrong.ts'], none)).toMatch(/^[12]\nwrong\.ts\(2,10\): error TS2322/);
  });
});

describe('the types', () => {
  it('match the examples of the docs', () => {
    const pages = ['README.md', 'docs/library.md'];
    const examples = pages.flatMap((page) =>
      blocksOf(readFileSync(join(root, page), 'utf8'))
        .filter(({ language }) => language === 'js')
        .map(({ text, line }) => ({ file: `examples/${page.replace(/\W/g, '-')}-${line}.mjs`, text })),
    );
    expect(examples.length).toBeGreaterThan(pages.length);
    mkdirSync(join(project, 'examples'), { recursive: true });
    for (const { file, text } of examples) writeFileSync(join(project, file), `// @ts-check\n${text}`);
    const files = examples.map(({ file }) => file);
    writeFileSync(
      join(project, 'node.d.ts'),
      "declare module 'node:fs' {\n  export function readFileSync(path: string, encoding: string): string;\n}\n",
    );
    const options = { module: 'nodenext', moduleResolution: 'nodenext', allowJs: true, noEmit: true, ...DOM };
    expect(compiled(['node.d.ts', ...files], options)).toBe('0\n');
  });
});

describe('a web page', () => {
  const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

  /** Returns the text of a browser for a folder with an index.html. */
  async function shown(folder: string, path: string): Promise<string> {
    const server = createServer((request, response) => {
      const file = new URL(request.url ?? '', 'http://localhost').pathname.replace(/\/$/, '/index.html');
      try {
        const body = readFileSync(join(folder, file));
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const profile = mkdtempSync(join(tmpdir(), 'render-rgd-chromium-'));
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--user-data-dir=${profile}`,
    ];
    try {
      const url = `http://127.0.0.1:${port}/`;
      const { stdout } = await promisify(execFile)(path, [...args, '--virtual-time-budget=60000', '--dump-dom', url]);
      return stdout;
    } finally {
      server.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }

  const folders: Record<string, () => Promise<unknown>> = {
    vite: () =>
      viteBuild({ root: join(project, 'page'), configFile: false, logLevel: 'silent', build: { outDir: '../vite' } }),
    esbuild: async () => {
      await esbuild.build({
        absWorkingDir: project,
        entryPoints: ['page/main.js'],
        outdir: 'esbuild',
        bundle: true,
        minify: true,
        format: 'esm',
        logLevel: 'silent',
      });
      cpSync(join(project, 'page/index.html'), join(project, 'esbuild/index.html'));
    },
  };

  describe.each(Object.keys(folders))('bundled by %s', (name) => {
    beforeAll(() => folders[name]?.());

    const inBrowser = async () => {
      const dom = await shown(join(project, name), browserPath ?? '');
      expect(dom).toContain('0 diagnostics, true\napiVersion: v1\nkind: ConfigMap\n');
      expect(dom).toContain('t: rendered in a page');
    };
    if (browserPath !== undefined) it('renders in a browser', inBrowser);
    else if (process.env.CI === 'true') it('has a browser', () => expect(browserPath).toBeDefined());
    else it.skip('renders in a browser (no Chromium is installed)', inBrowser);
  });
});
