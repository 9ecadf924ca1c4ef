import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const name = 'npm audit';

/** Returns known vulnerabilities of all installed packages. A registry that does not answer is reported. */
export function auditFault() {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8' });
  const report = parse(stdout);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined) {
    return { name, skipped: `the registry does not answer: ${error?.message ?? report?.message ?? 'no report'}` };
  }
  if (counts.total === 0) return { name };
  return { name, fault: Object.keys(report.vulnerabilities).join(', ') };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
