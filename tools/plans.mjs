#!/usr/bin/env node
// Compares `plan` with Argo CD's and Flux's own packages, for random pull requests to a generated repository:
// npm run plans -- [--seed N] [--from N] [--count N] [--applications N] [--only PATTERN] [--changes PATTERN]
// --only names shapes of test/plans/repository.ts, and --changes those of test/plans/changes.ts; Argo CD is not started for 'flux|release'.
// Needs the built command, Go, git, kustomize and helm; the first build takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/plans/main.ts');
