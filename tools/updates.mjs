#!/usr/bin/env node
// Replaces CRDs of random RGDs by those of another version, below live instances of a real API server, and compares what
// becomes of the instances with `compat`: npm run updates -- [--count N] [--seed N]
// --count is the number of pairs of versions. Needs Go, no container, like `npm run cluster`.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/schema-changes/main.ts');
