#!/usr/bin/env node
// Compares `plan` with Argo CD's and Flux's own packages, for random pull requests to a generated repository:
// npm run plans -- [--seed N] [--count N] [--applications N]
// Needs Go, git, kustomize and helm; the first build takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/plans/main.ts');
