#!/usr/bin/env node
// Compares what `plan` says about the fate of objects with what the controllers do, in every order in which they may act:
// npm run fates -- [--controllers argocd,flux] [--seed N] [--from N] [--count N] [--orders N] [--only PATTERN]
//   [--progress] [--explain]
// --count is the number of histories of each tool, and --orders the most orders of one history. --only names
// what a history does. --kubeconfig FILE uses an API
// server that has the CRDs, whose objects are deleted. Needs Go and git; the first build takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/fates/main.ts');
