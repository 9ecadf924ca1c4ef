// For `node --require`: runs the bundle with the code that V8 compiled in an earlier run, if CODE_CACHE names a file with
// it. Without that file, it writes it. V8 refuses code of another version, and of other options. `lsp` and `mcp` import a
// module, which such code cannot.
const { readFileSync, writeFileSync } = require('node:fs');
const { _extensions, wrap } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const bundle = join(__dirname, '../../dist/render-rgd.js');
const file = ['lsp', 'mcp'].includes(process.argv[2]) ? undefined : process.env.CODE_CACHE;
const load = _extensions['.js'];
_extensions['.js'] = (module, path) => {
  if (file === undefined || path !== bundle) return load(module, path);
  const cachedData = read(file);
  const script = new Script(wrap(readFileSync(path, 'utf8').replace(/^#!.*/, '')), {
    filename: path,
    cachedData,
  });
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  if (cachedData === undefined) process.on('exit', () => writeFileSync(file, script.createCachedData()));
};

function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
