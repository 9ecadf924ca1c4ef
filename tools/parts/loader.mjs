/** JavaScript that defines `part`, which yields what a part exports; parts as `{ name, line, text }`. */
export const loader = (parts) =>
  `var part=(${createLoader})(process,typeof __filename==="string"?__filename:"render-rgd.js",{\n${parts
    .map(({ name, line, text }) => `"${name}":{line:${line},kept(){/*${commented(text)}*/}}`)
    .join(',\n')}\n});`;

/**
 * A text inside a comment, of which V8 only looks for the end: that takes a third of the time of a literal. A function
 * knows its source, comments too.
 */
function commented(text) {
  if (text.includes(MARK)) throw new Error('a part holds what stands for the end of a comment');
  return text.replaceAll('*/', MARK);
}

/** Stands in a comment for what would end it. */
const MARK = '*<>/';

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
  const compiled = ({ kept, line }) => {
    const { Script } = process.getBuiltinModule('node:vm');
    const text = String(kept).slice('kept(){/*'.length, -'*/}'.length).replaceAll('*<>/', '*/');
    return new Script(`((module,require,part)=>{${text}\n})`, { filename, lineOffset: line }).runInThisContext();
  };
  const part = (name) => load(name);
  return part;
}
