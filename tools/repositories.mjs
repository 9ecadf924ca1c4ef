#!/usr/bin/env node
// Compares the RGDs of public repositories with kro's engine: npm run repositories -- LIST [--packages DIR] [--show N]
// [--write]
// A line of LIST is the path of a clone, and optionally the name to print. Each RGD of a clone becomes a package: the
// RGDs and CRDs that it needs, its instances, or a sample if there is none. --packages writes the packages as cases, for
// the other oracle: npm run cluster -- DIR. --write writes the table to docs/fidelity.md. Needs Go.
import { runProgram } from './run-program.mjs';

await runProgram('test/repositories/main.ts');
