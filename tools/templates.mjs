#!/usr/bin/env node
// Renders generated templates here and with Go's text/template and slim-sprig, and reports differences:
// npm run templates -- [--count N] [--seed N] [--show N]
// Values written as YAML, which templates of ResourceSets use, are compared too. Needs Go.
import { runProgram } from './run-program.mjs';

await runProgram('test/templates/main.ts');
