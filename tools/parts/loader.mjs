/** JavaScript that defines `part`, which yields what a part exports; parts as `{ name, line, text }`. */
export const loader = (parts) =>
  `var part=(${createLoader})(process,typeof __filename==="string"?__filename:"render-rgd.js",{\n${parts
    .map(({ name, line, text }) => `"${name}":{line:${line},text:()=>${quoted(text)}}`)
    .join(',\n')}\n});`;

/** A literal of a text: V8 only looks for its end until it is asked for. */
const quoted = (text) => `'${text.replace(/[\\'\n\r]/g, (character) => ESCAPED[character])}'`;

const ESCAPED = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r' };

/** Runs in the command. What the parts share with the rest of it is in `part.home`. Traces show a part at its `line`. */
function createLoader(process, filename, parts) {
  const modules = {};
  const load = (name) => {
    if (modules[name] !== undefined) return modules[name].exports;
    const module = { exports: {} };
    modules[name] = module;
    if (parts[name] === undefined) module.exports = part.home[name]();
    else compiled(parts[name])(module, require, part);
    return module.exports;
  };
  const require = (name) => (name.startsWith('node:') ? process.getBuiltinModule(name) : load(name));
  // A part is a text of the build. Nothing that is read becomes code.
  const compiled = ({ text, line }) => {
    const { Script } = process.getBuiltinModule('node:vm');
    return new Script(`((module,require,part)=>{${text()}\n})`, { filename, lineOffset: line }).runInThisContext();
  };
  const part = (name) => load(name);
  return part;
}
