/**
 * The option, by major version of Node, with which V8 optimizes a function after eight times as many calls as usual:
 * most runs end before it would pay off. Other versions may report it as unknown.
 */
const OPTIMIZE_LATER: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=540672',
  22: '--invocation-count-for-turbofan=24000',
  24: '--invocation-count-for-turbofan=24000',
};

/** Loading `node:v8` takes longer than a rendering of fewer bytes. */
const MANY = 100_000;
let read = 0;

/** Counts what is read, and sets the option as soon as it is much. */
export function optimizeLater(bytes: number): void {
  const wasMuch = read > MANY;
  read += bytes;
  const [major = ''] = process.versions.node.split('.');
  const option = process.versions.bun === undefined && !wasMuch && read > MANY ? OPTIMIZE_LATER[major] : undefined;
  if (option !== undefined) process.getBuiltinModule('node:v8').setFlagsFromString(option);
}
