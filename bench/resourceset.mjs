// Measures processes of the built command with a ResourceSet, compared with `flux-operator build rset` of the same
// file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBuilt, native, onNode } from './support/command.mjs';
import { fluxOperator, VERSION } from './support/flux-operator.mjs';
import { inTurn } from './support/process.mjs';
import { resourceSet } from './support/resource-set.mjs';
import { figureText } from './support/table.mjs';

export const title = 'ResourceSets, seven objects for each input';

export async function run({ short }) {
  checkBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  try {
    const counts = short ? [1000] : [1000, 5000];
    const commands = counts.flatMap((count) => {
      const input = join(folder, `${count}.yaml`);
      writeFileSync(input, resourceSet(count));
      return [
        [`node ${count}`, [...onNode, 'render', input]],
        ...(native === undefined ? [] : [[`native ${count}`, [...native, 'render', input]]]),
        ...(fluxOperator === undefined ? [] : [[`flux ${count}`, [fluxOperator, 'build', 'rset', '-f', input]]]),
      ];
    });
    const figures = await inTurn(
      commands.map(([, command]) => command),
      short ? 3 : 5,
    );
    return report(counts, new Map(commands.map(([name], index) => [name, figures[index]])));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(counts, of) {
  const lines = counts.flatMap((count) => {
    const flux = of.get(`flux ${count}`);
    const line = (name, figure, objects) => {
      if (figure === undefined) return [name, objects, 'SKIPPED: not installed', '', ''];
      const ratio = flux === undefined ? '-' : figureText(figure.time / flux.time);
      return [name, objects, figureText(figure.time), ratio, figure.peak.toFixed(0)];
    };
    return [
      line(`${count} inputs`, of.get(`node ${count}`), String(count * 7)),
      line('  the executable', of.get(`native ${count}`), ''),
      line(`  flux-operator ${VERSION}`, flux, ''),
    ];
  });
  return { lines: [['', 'objects', 'ms', '/ flux-operator', 'MiB'], ...lines], claims: claimsOf(of) };
}

function claimsOf(of) {
  const flux = of.get('flux 1000');
  return ['node', 'native'].flatMap((kind) => {
    const [thousand, most] = [of.get(`${kind} 1000`), of.get(`${kind} 5000`)];
    if (thousand === undefined) return [];
    const prefix = kind === 'native' ? 'executable, ' : '';
    const claim = (name, figure, target) => ({ name: `${prefix}${name}`, figure, target, unit: '' });
    return [
      ...(flux === undefined ? [] : [claim('1000 inputs / flux-operator', thousand.time / flux.time, 0.5)]),
      ...(most === undefined ? [] : [claim('5000 inputs / 1000 inputs', most.time / thousand.time, 5.5)]),
    ];
  });
}
