import { nameOf } from '../../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../../core/model/value.ts';
import type { Application, DiscoverOptions } from '../application.ts';
import type { Repository } from '../repository.ts';
import { readApplication } from './argocd.ts';
import { generate } from './generators.ts';
import { GeneratorError, templateFor } from './parameter-sets.ts';
import { fill, TemplateError } from './parameters.ts';
import { isSameRepository } from './repository-url.ts';

/** Returns the Applications of an ApplicationSet, or itself with the reason why they are unknown. */
export function readApplicationSet(set: ValueMap, repository: Repository, options: DiscoverOptions): Application[] {
  const spec = get(set, 'spec');
  const generators = get(spec, 'generators');
  const template = get(spec, 'template');
  const goTemplate = get(spec, 'goTemplate') === true;
  const context = { repository, goTemplate, isOurs: (url: string) => isSameRepository(url, options.urls) };
  const notKnown = (reason: string): Application[] => [
    { kind: 'ApplicationSet', name: nameOf(set), path: '', sources: [{ type: 'none', path: '', reason }] },
  ];
  if (!isMap(template) || !Array.isArray(generators)) return notKnown('it has no template and generators');
  if (get(spec, 'templatePatch') !== undefined) return notKnown('its templatePatch is not read');
  try {
    return generators
      .flatMap((generator) => {
        const own = templateFor(generator, template);
        return generate(generator, context).map((parameters) => fill(own, parameters, goTemplate) as ValueMap);
      })
      .map((application) => readApplication(application, repository.tree, options));
  } catch (error) {
    if (error instanceof GeneratorError) return notKnown(error.message);
    if (error instanceof TemplateError) return notKnown(`its template fails: ${error.message}`);
    throw error;
  }
}
