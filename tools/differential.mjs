#!/usr/bin/env node
// Renders generated packages here and with kro's own engine, and says where the two disagree:
//
//   npm run differential -- [--packages N] [--expressions N] [--objects N] [--sources] [--seed N] [--shrink] [--write]
//
// --objects is how many objects of generated CRDs `validate` and the API server's own library look at.
//
// --sources adds what kro, cel-go and Kubernetes themselves hold: RGDs and expressions of their examples and tests, read
// from Go's module cache. --write puts the counts into docs/fidelity.md. KRO=v0.10.0 asks another release of kro.
// Needs Go; the first run builds kro's engine and an API server, which takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/differential/main.ts');
