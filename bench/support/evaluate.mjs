// Evaluates the expression on standard input with the engine at a path, and prints the maximum memory of the process
// and the time.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { check, createBudget, kroEnvironment, parse, plan, toJson } = await import(pathToFileURL(process.argv[2]).href);
const source = readFileSync(0, 'utf8');
const start = performance.now();
evaluate();
const milliseconds = Math.round(performance.now() - start);
console.log(JSON.stringify({ mebibytes: process.resourceUsage().maxRSS / 1024, milliseconds }));

function evaluate() {
  const parsed = parse(source);
  if (!parsed.ok) return;
  const result = check(kroEnvironment(), parsed.expression, new Map());
  if (!result.ok) return;
  try {
    JSON.stringify(toJson(plan(kroEnvironment(), result.checked, []).run([], createBudget())), plain);
  } catch (error) {
    // An error of the expression has a kind; any other is an error of the engine.
    if (error.kind === undefined) throw error;
  }
}

function plain(_, value) {
  return typeof value === 'bigint' ? `${value}` : value;
}
