#!/usr/bin/env node
// Renders generated packages here and with kro's own engine, and reports differences:
// npm run differential -- [--packages N] [--expressions N] [--objects N] [--graphs N] [--sources] [--seed N] [--shrink]
//   [--updates N] [--cases DIR] [--omit] [--write]
// --objects is the number of objects of generated CRDs that `validate` and the API server's own library validate;
// --updates the number of updates of RGDs that `compat` and kro's own client compare.
// --omit compares only packages that omit fields, beside kro with the feature gate CELOmitFunction.
// --sources adds RGDs and expressions of the examples and tests of kro, cel-go and Kubernetes, read from Go's module
// cache; --cases the cases of a folder, in the format of test/conformance. --kro 0.10 --kro-sources DIR compares with
// the engine of kro's pull request 1355, of which DIR has the sources (git archive refs/pull/1355/head), and `compat
// --kro 0.10` with both engines; --graphs is the number of Graphs, and --write records the answers to a few of them in
// test/differential/graphs.json. --write writes the counts to docs/fidelity.md. --kro v0.9.3 compares with any published
// version of kro, by the rules of 0.10 from v0.10.0 on. Needs Go; the first run builds kro's engine and an API server,
// which takes minutes.
import { runProgram } from './run-program.mjs';

await runProgram('test/differential/main.ts');
