// Loaded before the command: calls for the time or random numbers throw.
function refuse() {
  throw new Error('a rendering may not depend on the clock or on chance');
}

Date.now = refuse;
performance.now = refuse;
process.hrtime = refuse;
Math.random = refuse;
for (const name of ['getRandomValues', 'randomUUID']) globalThis.crypto[name] = refuse;
globalThis.Date = new Proxy(Date, {
  apply: refuse,
  construct: (target, args) => (args.length === 0 ? refuse() : new target(...args)),
});
