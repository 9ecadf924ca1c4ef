#!/usr/bin/env node
// Renders packages for several instances, extracts an RGD from the objects alone, and renders it again:
// npm run extract -- [--packages N] [--copies N] [--seed N] [--only TITLE] [--judge] [--hostile] [--sets FOLDER] [--definitions FOLDER] [--verbose] [FOLDER...]
// Each folder has folders with an input.yaml: RGDs and their instances. --packages is the number of generated packages.
// --judge lets kro's engine render what was extracted, --hostile adds copies with texts that templates give a meaning to.
// --sets extracts the sets of a folder: each of its folders has files and folders, which are copies. extract-sets.mjs
// cuts the sets of docs/fidelity.md. --definitions is a folder with files of CRDs, for the kinds of the sets.
import { runProgram } from './run-program.mjs';

await runProgram('test/author/extract/main.ts');
