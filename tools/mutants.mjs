#!/usr/bin/env node
// Changes the sources at random places, one change at a time, and checks that a unit test fails:
// npm run mutants -- [--count N] [--seed S] [--near] [--line N] [--write] [FOLDER|FILE]
// --near runs only the tests of the folders that are drawn; --line tries what is in one line of FILE; --write writes
// the table to docs/fidelity.md. test/mutants/equivalent.json lists changes that no test can see. Fails if more than
// ten percent of the others survive.
import { runProgram } from './run-program.mjs';

await runProgram('test/mutants/main.ts');
