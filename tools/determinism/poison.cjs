// Loaded before the command: whoever asks for the time or for chance gets an error.
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
