#!/usr/bin/env node
// Changes objects of Kubernetes' own kinds, asks a real API server about each, and compares what `validate` says:
//
//   npm run refusals -- [--count N] [--seed N] [--record FILE | --verdicts FILE] [FOLDER...]
//
// FOLDER holds further cases, whose rendered objects are changed too. Needs Go, no container, as `npm run cluster`.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/refusals/main.ts');
