import { composeText, trusted } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, nameOf, titleOf } from '../../core/model/object.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { comparePackages } from '../compat/index.ts';
import { applicationAt } from './application.ts';
import type { LoadContext } from './load.ts';
import { definitionsFor } from './repository.ts';
import type { PlannedDanger } from './result.ts';

/** Returns the changes of RGDs that break instances, in this repository or elsewhere. */
export function breakingChanges(
  before: LoadContext,
  after: LoadContext,
  changed: ReadonlySet<string>,
): PlannedDanger[] {
  const rgds = before.repository
    .manifestsWith('ResourceGraphDefinition')
    .filter((path) => changed.has(path) && before.repository.objectsOf(path).some(({ object }) => isRgd(object)));
  return rgds.flatMap((path) => {
    const defined = [...before.repository.kinds]
      .filter(([, files]) => files.some((file) => file.path === path))
      .map(([kind]) => kind);
    const names = defined.map((kind) => kind.slice(0, kind.indexOf('.')));
    const instances = [...new Set(names.flatMap((name) => after.repository.manifestsWith(name)))]
      .flatMap((file) => after.repository.objectsOf(file))
      .filter(({ object }) => defined.includes(groupKind(groupVersionKind(object))));
    const input = (side: LoadContext) => ({
      objects: definitionsFor(defined, path, side.repository).flatMap((file) => side.repository.objectsOf(file)),
    });
    const options = { ...after.settings, conservative: false };
    const { reports } = comparePackages(input(before), input(after), instances, options);
    const [rgd] = before.repository.objectsOf(path).filter(({ object }) => isRgd(object));
    const name = rgd === undefined ? path : nameOf(rgd.object);
    const application = applicationAt('ResourceGraphDefinition', name, path);
    // Changes of the RGDs that this one renders are found for their own files.
    const others = new Set(
      definitionsFor(defined, path, before.repository)
        .filter((file) => file !== path)
        .flatMap((file) => before.repository.objectsOf(file).map(({ object }) => titleOf(object))),
    );
    return reports
      .filter(({ code, severity = 'error' }) => code === 'breaking-change' && severity === 'error')
      .filter(({ object }) => object === undefined || !others.has(object))
      .map(({ message, path: field, source }) => ({
        code: 'breaking-change' as const,
        application,
        message: composeText`${trusted.definition(field.join('.'))}: ${message}`,
        ...(source && { at: { source, path: field } }),
      }));
  });
}
