#!/usr/bin/env node
// Renders generated templates here and with Go's text/template and slim-sprig, and says where the two disagree:
//
//   npm run templates -- [--count N] [--seed N] [--show N]
//
// Values written as YAML, which templates of ResourceSets go through, are compared too. Needs Go.
import { runProgram } from './run-program.mjs';

await runProgram('test/templates/main.ts');
