import { Collector, composeText, hasErrors } from '../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../src/core/model/object.ts';
import { visible } from '../../src/core/text/visible.ts';
import { aboutSets } from '../../src/describe/offers/index.ts';
import { selectForOutput } from '../../src/kubernetes/select/index.ts';
import { crdsOf } from '../../src/render/pipeline.ts';
import { reportPrinted } from '../../src/render/print/index.ts';
import { renderOverEarlier } from '../../src/render/rerender/index.ts';
import { toJsonText } from '../../src/yaml/emit/index.ts';
import { formatDiagnosticsJson, toDiagnostics } from '../../src/yaml/locate/index.ts';
import { readPackage } from './package.ts';
import type { CommandOutput, Package } from './protocol.ts';

const PRINT = { allowEmpty: false, output: 'json', outputDir: '' };

/** Returns the output of `render` or `crd` with `-o json --diagnostics json`, byte for byte. */
export function commandOutput(pack: Package, verb: 'render' | 'crd'): CommandOutput {
  const { input, options, reports: read } = readPackage(pack);
  const reports = new Collector();
  reports.addAll(read);
  const objects: KubeObject[] = [];
  if (!reports.hasErrors && verb === 'render') {
    const output = renderOverEarlier(input, options);
    const { selected, leftOut } = selectForOutput(output, { all: false });
    reports.addAll(output.reports);
    reportPrinted(output.entries, { printed: selected.length, leftOut }, PRINT, reports);
    objects.push(...selected.map(({ object }) => object));
  } else if (!reports.hasErrors) {
    const generated = crdsOf(input, options);
    reports.addAll(generated.reports);
    objects.push(...generated.crds);
    if (objects.length === 0 && !reports.hasErrors) {
      const message = composeText`there is no RGD${aboutSets(input)}`;
      reports.add({ code: 'nothing-to-read', message, path: [], severity: 'warning' });
    }
  }
  const stderr = reports.all.length === 0 ? '[]\n' : formatDiagnosticsJson(toDiagnostics(reports.all));
  return { stdout: hasErrors(reports.all) ? '' : `${visible(toJsonText(objects, 2))}\n`, stderr };
}
