#!/usr/bin/env node
// Evaluates generated expressions over data with unknown parts here and with cel-go's partial evaluation, and reports
// differences: npm run unknowns -- [--count N] [--seed N] [--show N]
// What is unknown here must also hold for values of the unknown parts, with which cel-go evaluates again. Needs Go.
import { runProgram } from './run-program.mjs';

await runProgram('test/unknowns/main.ts');
