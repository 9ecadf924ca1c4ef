#!/usr/bin/env node
// Checks the checker: puts one fault after the other into our sources (in memory) and asks whether the comparison with
// kro's engine finds it. `npm run faults -- --write` puts the list into docs/fidelity.md.
import { runProgram } from './run-program.mjs';

await runProgram('test/fidelity/main.ts');
