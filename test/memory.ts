import { useMemory } from '../tools/memory.mjs';

/** vitest calls this function once, before it starts workers, and its result at the end. */
export default (): (() => void) => useMemory(2 ** 30);
