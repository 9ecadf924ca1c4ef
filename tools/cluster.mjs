#!/usr/bin/env node
// Applies the examples and the conformance cases, with the real API server and kro's controller, and compares what kro
// wrote (the fields that managedFields gives to it) with what is rendered here:
//
//   npm run cluster -- [--only TEXT] [--homes] [--write] [FOLDER...]
//
// FOLDER holds further cases. Needs Go, no container: the first run builds etcd, kube-apiserver and kro, which takes
// minutes. --homes
// also runs the commands of docs/migrating-from-kro.md with kubectl. --write puts the counts into docs/fidelity.md.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/main.ts');
