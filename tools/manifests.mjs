#!/usr/bin/env node
// Validates the manifests of clones of public repositories, and sends each object with an error to a real API server,
// which must reject it: npm run manifests -- LIST
// LIST is a file with a folder on each line. Needs Go, no container, like `npm run cluster`.
import { runProgram } from './run-program.mjs';

await runProgram('test/cluster/manifests/main.ts');
