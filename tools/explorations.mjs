#!/usr/bin/env node
// Explores RGDs, and asks kro's engine and a real API server about each counterexample:
// npm run explorations -- [--count N] [--planted N] [--seed N] [--verbose] [FOLDER...]
// --count is the number of random packages, --planted that of RGDs with a planted fault, of which 95 percent must be found
// within 2 s of CPU each. FOLDER contains further cases, in the format of test/conformance. Needs Go, no container.
import { runProgram } from './run-program.mjs';

await runProgram('test/explore/main.ts');
