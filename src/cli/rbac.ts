import { aboutSets } from '../authoring/offers/index.ts';
import { checkRoles, roleFor } from '../authoring/rbac/index.ts';
import { composeText, hasErrors, nothingFound, trusted } from '../core/diagnostics/index.ts';
import { groupVersionKind } from '../core/model/object.ts';
import { listOf } from '../core/model/value.ts';
import { choice, list, text } from '../render/options/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forPackages } from './command.ts';
import { conclude, fail } from './conclude.ts';
import { readFiles } from './files.ts';
import { gather } from './gather.ts';
import { objectFormat, objectsOutput } from './output.ts';

export const rbac = defineCommand({
  group: 'Author',
  usage: 'PATH... [options]',
  summary: 'Print the least role that RGDs need, for kro or for the tool that applies the rendered objects.',
  examples: [
    ['rbac platform/ >roles/kro.yaml', 'Prints a ClusterRole that kro includes in its own.'],
    ['rbac platform/ apps/ --for gitops', 'Prints a ClusterRole for Argo CD, Flux or kubectl.'],
    ['rbac platform/ --check roles/', 'Reports what the roles of a folder lack, and what they grant besides.'],
  ],
  own: {
    output: objectFormat,
    for: choice(['kro', 'gitops'], 'Who needs the role: kro, or the tool that applies the rendered objects.'),
    name: text('NAME', 'The name of the role.'),
    check: list('PATH', 'Compare with the roles of this path, all of them together, instead of printing one.'),
  },
  ...forPackages,
  run: async (invocation) => {
    const { settings } = invocation;
    const { input, reports, readOptions } = await gather(invocation, { others: settings.check });
    const roles = objectsIn(readStreams(readFiles(settings.check, readOptions, reports), reports)).filter(
      ({ object }) => groupVersionKind(object).group === 'rbac.authorization.k8s.io' && /Role$/.test(object.kind),
    );
    if (reports.hasErrors) return conclude(invocation, reports.all);
    const { role, reports: found } = roleFor(input, settings, settings);
    reports.addAll(found);
    if (listOf(role.rules).length === 0 && !reports.hasErrors)
      reports.add(
        nothingFound(composeText`nothing in the package needs a permission: there is no RGD${aboutSets(input)}`),
      );
    if (settings.check.length === 0)
      return conclude(invocation, reports.all, () => objectsOutput([role], settings.output));
    if (roles.length === 0 && !hasErrors(reports.all)) {
      return fail('not-found', composeText`there is no role in ${trusted.file(settings.check.join(', '))}`, invocation);
    }
    if (!reports.hasErrors) checkRoles(role, roles, reports);
    return conclude(invocation, reports.all);
  },
});
