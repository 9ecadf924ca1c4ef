#!/usr/bin/env node
// Asks API servers of several releases of Kubernetes for every kind, and compares their Warning headers and 404s with
// data/kubernetes-lifecycles.json: npm run lifecycles -- [--releases 1.37,1.36]
// Needs Go, no container. The first run of a release builds its API server, which takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/lifecycles/main.ts');
