#!/usr/bin/env node
// Renders generated ResourceSets here and with the Flux operator's own packages, and reports differences:
// npm run resourcesets -- [--count N] [--seed N] [--show N] [--coverage] [--record]
// Needs Go; the first build takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/resourcesets/main.ts');
