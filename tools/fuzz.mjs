#!/usr/bin/env node
// Feeds mutants of real inputs to the command and to the KRM function, in one process:
//
//   npm run fuzz -- [--runs 10000] [--seed N] [--seconds 15] [--memory 1024] [--keep FOLDER] [FILE|FOLDER...]
//   npm run fuzz -- --seed N --only INDEX [FILE|FOLDER...]
//
// Mutants are made of test/, examples/ and the files and folders given. A finding is printed with the seed and the
// number that make its input again (for the same files); --only prints that input. What it checks is in test/fuzz.
import { runProgram } from './run-program.mjs';

await runProgram('test/fuzz/main.ts');
