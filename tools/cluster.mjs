#!/usr/bin/env node
// Applies the examples and the conformance cases, with the real API server and kro's controller, and compares what kro
// wrote (the fields that managedFields gives to it) with what is rendered here:
//
//   npm run cluster -- [--only TEXT] [--homes] [--part NAME] [--write] [FOLDER...]
//
// FOLDER holds further cases. Needs Go, no container: the first run builds etcd, kube-apiserver and kro, which takes
// minutes. --homes also checks what docs/migrating-from-kro.md, docs/rbac.md, docs/kpt.md and docs/compat.md say about a
// cluster; --part kubectl, kpt, roles, migrations or updates checks only that. --write puts the counts into docs/fidelity.md.
//
//   npm run cluster -- --plan [--count 30] [--seed 1] [FOLDER...]
//
// applies both revisions of random pull requests, and compares the objects that change with `render-rgd plan`.
//
//   npm run cluster -- --policies [--count 30] [--seed 1] [--show 20] [FOLDER...]
//
// compares the decisions of random admission policies, and of those in FOLDER, with those of the API server.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/main.ts');
