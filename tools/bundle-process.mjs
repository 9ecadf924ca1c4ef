// Runs the built command in this process: node compiles the file once, and evaluates it anew for each run, with a
// process of its own. It is the same program without the start of Node.
import fs from 'node:fs';
import { Script } from 'node:vm';

/** Returns a function that takes arguments, and returns the exit code and what the bundle prints. */
export function bundleRunner(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/^#!.*/, '');
  const evaluate = new Script(`(function (process) {${text}\n})`, { filename: file }).runInThisContext();
  return (args) =>
    new Promise((resolve) => {
      const printed = { 1: [], 2: [] };
      const end = (code) =>
        resolve({ code, stdout: Buffer.concat(printed[1]).toString(), stderr: Buffer.concat(printed[2]).toString() });
      const writeSync = (descriptor, bytes, ...rest) => {
        if (printed[descriptor] === undefined) return fs.writeSync(descriptor, bytes, ...rest);
        printed[descriptor].push(Buffer.from(bytes));
        return bytes.length;
      };
      const files = { ...fs, writeSync };
      evaluate(
        Object.create(process, {
          argv: { value: [process.execPath, file, ...args] },
          exit: { value: end },
          exitCode: { set: end },
          getBuiltinModule: { value: (name) => (name === 'node:fs' ? files : process.getBuiltinModule(name)) },
        }),
      );
    });
}
