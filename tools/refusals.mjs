#!/usr/bin/env node
// Changes objects of Kubernetes' own kinds, sends each to a real API server, and compares the result with `validate`:
// npm run refusals -- [--count N] [--seed N] [--record FILE | --verdicts FILE] [FOLDER...]
// FOLDER contains further cases, whose rendered objects are changed too. Needs Go, no container, like `npm run
// cluster`.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/refusals/main.ts');
