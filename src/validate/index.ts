import type { Report } from '../diagnostics/index.ts';
import { createLinter } from '../lint/index.ts';
import { groupVersionKind } from '../model/object.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { type Package, readPackage } from '../read/index.ts';
import { admitInstances } from '../rgd/admit/index.ts';
import { compileRgds, isNamespaced } from '../rgd/compile/index.ts';
import { type DefaultNamespace, runInstances } from '../rgd/expand/index.ts';
import { leftByAnnotation } from '../rgd/passthrough/index.ts';
import { type KindRegistry, kindsOf } from '../schema/index.ts';
import { instancesOfBroken } from './broken.ts';
import { told } from './told.ts';

export { lookedAt } from './files.ts';
export { inFileOrder } from './order.ts';

export interface ValidateOptions extends RenderOptions {
  /** The codes of lints that are not looked for. */
  disable?: readonly string[];
}

/**
 * Looks at all of a package and tells everything that is wrong with it. What is broken hides nothing else: every
 * document that can be read is looked at, every RGD is compiled, the instances of an RGD that cannot be are held against
 * its schema, and all other instances are expanded. That a value is known to a cluster only is no fault: what waits for
 * one is an info, a reference that finds nothing a warning. Pure: the same input and options give the same reports.
 */
export function validatePackage(
  input: RenderInput,
  { disable = [], ...options }: ValidateOptions,
): { reports: Report[] } {
  const reports: Report[] = [];
  const lenient: RenderOptions = { ...options, onPending: 'skip', order: 'none' };
  const pack = readPackage(input, reports);
  const kinds = kindsOf(pack.crds, input.openapi, reports);
  const linter = createLinter();
  const graphs = compileRgds(pack.definitions, kinds, lenient, reports, linter.found);
  linter.lint(pack.definitions, graphs, disable, reports);
  const { candidates, check } = instancesOfBroken(pack, graphs, lenient, reports);
  check();
  const instances = admitInstances(candidates, graphs, kinds, lenient, reports);
  const left = leftByAnnotation(instances, graphs, reports);
  const rendering = instances.filter((instance) => !left.has(instance.input));
  runInstances(
    {
      graphs,
      instances: rendering,
      observed: pack.observed,
      plain: plainObjects(pack, new Set(rendering.map((instance) => instance.input))),
      defaultNamespace: placing(kinds, options, true),
      observedNamespace: placing(kinds, options, false),
    },
    lenient,
    reports,
  );
  return { reports: told(reports) };
}

/** What stands in the package beside RGDs, live objects and the instances that are rendered. */
const plainObjects = (pack: Package, rendered: ReadonlySet<unknown>): Package['objects'] =>
  pack.objects.filter((one) => /^(crd|other)$/.test(pack.roleOf(one)) && !rendered.has(one));

/**
 * Objects that name no namespace stand in the default one, like instances, if their kind has one. `assume` says whether
 * kinds that nothing describes count as such.
 */
function placing(kinds: KindRegistry, options: RenderOptions, assume: boolean): DefaultNamespace {
  const { namespace } = options;
  if (namespace === '') return () => '';
  return (object) => {
    const kind = groupVersionKind(object);
    const info = kinds.find(kind);
    return (info !== undefined || assume) && isNamespaced(kind, info, options) ? namespace : '';
  };
}
