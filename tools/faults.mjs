#!/usr/bin/env node
// Tests the comparison with kro's engine: injects one fault after the other into the sources (in memory) and checks
// that it is found. `npm run faults -- --write` writes the list to docs/fidelity.md.
import { runProgram } from './run-program.mjs';

await runProgram('test/fidelity/main.ts');
