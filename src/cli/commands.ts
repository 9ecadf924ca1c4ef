// All commands by name: a command is a line here.

export { completion } from './completion.ts';
export { doctor } from './doctor.ts';
export { explain } from './explain.ts';
export { extract } from './extract.ts';
export { fmt } from './fmt.ts';
export { graph } from './graph.ts';
export { init } from './init.ts';
export { migrate, observe, pending } from './observe.ts';
export { crd, docs, instance, rbac, schema } from './offers.ts';
export { plan } from './plan/index.ts';
export { playground } from './playground/run.ts';
export { plugin } from './plugin/index.ts';
export { render } from './render.ts';
export { lsp, mcp } from './servers.ts';
export { test } from './test/index.ts';
export { validate } from './validate.ts';
export { compat, diff } from './versions.ts';
