import { nameOf } from '../../../core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import type { MissingKey } from '../../../languages/gotemplate/index.ts';
import type { Application, DiscoverOptions } from '../application.ts';
import type { Repository } from '../repository.ts';
import { readApplication } from './argocd.ts';
import { GeneratorError } from './generator-error.ts';
import { generate } from './generators.ts';
import { templateFor } from './parameter-sets.ts';
import { fill, TemplateError, type TemplateLanguage, templated } from './parameters.ts';
import { isSameRepository } from './repository-url.ts';
import { applyTemplatePatch } from './template-patch.ts';
import { textsOf } from './values.ts';

/** Returns the Applications of an ApplicationSet, or itself with the reason why they are unknown. */
export function readApplicationSet(set: ValueMap, repository: Repository, options: DiscoverOptions): Application[] {
  try {
    return applicationsOf(set, repository, options.urls).map((application) =>
      readApplication(application, repository.tree, options),
    );
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    const sources = [{ type: 'none', path: '', reason: error.message }] as const;
    return [{ kind: 'ApplicationSet', name: nameOf(set), path: '', sources }];
  }
}

/**
 * The Applications that Argo CD makes of an ApplicationSet.
 * @throws GeneratorError with the reason why they are not known
 */
export function applicationsOf(set: ValueMap, repository: Repository, urls: readonly string[]): ValueMap[] {
  const spec = get(set, 'spec');
  const generators = get(spec, 'generators');
  const template = get(spec, 'template');
  const patch = get(spec, 'templatePatch');
  if (!isMap(template) || !Array.isArray(generators)) throw new GeneratorError('it has no template and generators');
  const language = languageOf(spec);
  const context = { repository, language, isOurs: (url: string) => isSameRepository(url, urls) };
  const applicationOf = (own: ValueMap, parameters: ValueMap): ValueMap => {
    // Argo CD leaves a template alone that has no parameters.
    const isAsItIs = Object.keys(parameters).length === 0;
    const application = isAsItIs ? own : inPart('template', () => fill(own, parameters, language) as ValueMap);
    if (typeof patch !== 'string') return application;
    return applyTemplatePatch(
      application,
      inPart('templatePatch', () => templated(patch, parameters, language)),
    );
  };
  return generators.flatMap((generator) => {
    const own = templateFor(generator, template);
    const sets = inPart('generators', () => generate(generator, context));
    return sets.map((parameters) => applicationOf(own, parameters));
  });
}

function inPart<T>(part: 'generators' | 'template' | 'templatePatch', work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new GeneratorError(
      `${part === 'generators' ? 'a template of its generators' : `its ${part}`} fails: ${error.message}`,
    );
  }
}

function languageOf(spec: Value | undefined): TemplateLanguage {
  const goTemplate = get(spec, 'goTemplate') === true;
  let missingKey: MissingKey = 'default';
  for (const option of goTemplate ? textsOf(get(spec, 'goTemplateOptions')) : []) {
    const [, known] = /^missingkey=(default|invalid|zero|error)$/.exec(option) ?? [];
    if (known === undefined) throw new GeneratorError(`its goTemplateOptions has ${option}, which Go does not know`);
    missingKey = known === 'invalid' ? 'default' : (known as MissingKey);
  }
  return { goTemplate, missingKey };
}
