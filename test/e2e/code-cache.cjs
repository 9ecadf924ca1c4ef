// For `node --require`: runs the bundle with the code that V8 compiled in an earlier run, if CODE_CACHE names a folder for
// it, where that of the bundle and of each text in it is written. V8 refuses code of another version, and of other
// options. `lsp` and `mcp` import a module, which such code cannot.
const { readFileSync, writeFileSync } = require('node:fs');
const { prototype, wrap } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

const folder = ['lsp', 'mcp'].includes(process.argv[2]) ? undefined : process.env.CODE_CACHE;
const compile = prototype._compile;
prototype._compile = function (text, path, ...rest) {
  if (folder === undefined || !path.startsWith(join(__dirname, '../../dist/render-rgd.'))) {
    return compile.call(this, text, path, ...rest);
  }
  const file = join(folder, basename(path));
  const cachedData = read(file);
  const script = new Script(wrap(text.replace(/^#!.*/, '')), { filename: path, cachedData });
  script.runInThisContext().call(this.exports, this.exports, require, this, path, dirname(path));
  if (cachedData === undefined) process.on('exit', () => writeFileSync(file, script.createCachedData()));
};

function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
