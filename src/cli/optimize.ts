import { ownValue } from '../core/model/value.ts';

/** By version of Node, how V8 optimizes after eight times as many calls: most runs end before it would pay off. */
const OPTIMIZE_LATER: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=540672',
  22: '--invocation-count-for-turbofan=24000',
  24: '--invocation-count-for-turbofan=24000',
};

/** The functions, classes and tables of the command, in an executable; the build replaces the name. */
declare const RENDER_RGD_FUNCTIONS: readonly unknown[] | undefined;

declare const Bun: { unsafe: { setJITPolicy: (scale: number) => void } };

/** The bytes from which on the options save more than they take: Node loads `node:v8` for them. */
const MANY = process.versions.bun === undefined ? 5000 : 100_000;
let read = 0;

/** Counts what is read, and sets the options of the runtime as soon as it is much. */
export function optimizeLater(bytes: number): void {
  const wasMuch = read > MANY;
  read += bytes;
  if (wasMuch || read <= MANY) return;
  const [major = ''] = process.versions.node.split('.');
  const option = ownValue(OPTIMIZE_LATER, major);
  if (process.versions.bun !== undefined) optimizeLess(RENDER_RGD_FUNCTIONS ?? []);
  else if (option !== undefined) process.getBuiltinModule('node:v8').setFlagsFromString(option);
}

/** These functions never compile in the highest tier of JavaScriptCore, whose compiler takes longer than it saves. */
function optimizeLess(declared: readonly unknown[]): void {
  const { noFTL } = process.getBuiltinModule('bun:jsc') as unknown as { noFTL: (one: unknown) => void };
  Bun.unsafe.setJITPolicy(16);
  for (const one of [...declared, Array]) {
    const members: unknown = typeof one === 'function' ? one.prototype : one;
    const properties = members instanceof Object ? Object.values(Object.getOwnPropertyDescriptors(members)) : [];
    const all = [one, ...properties.flatMap(({ value, get }) => [value, get])];
    for (const each of all) if (typeof each === 'function') noFTL(each);
  }
}
