import { nameOf, namespaceOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, listAt, textAt, textsOf, type Value, type ValueMap } from '../../../core/model/value.ts';
import type { MissingKey } from '../../../languages/gotemplate/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { type Application, applicationAt, type Discovery } from '../application.ts';
import { NotRendered, rejected } from '../not-rendered.ts';
import { readApplication } from './argocd.ts';
import { type GeneratorContext, generate, hasType } from './generators.ts';
import { templateFor } from './parameter-sets.ts';
import { fill, TemplateError, type TemplateLanguage, templated } from './parameters.ts';
import { isSameRepository } from './repository-url.ts';
import { applyTemplatePatch } from './template-patch.ts';

/**
 * Returns the Applications of an ApplicationSet, or itself with the reason why they are unknown, or why Argo CD rejects
 * it. `place` is where it is declared.
 */
export function readApplicationSet(set: ValueMap, place: string, given: Discovery): Application[] {
  const key = JSON.stringify([namespaceOf(set), nameOf(set), place]);
  const itself = (source: Application['sources'][number]): Application => ({
    ...applicationAt('ApplicationSet', nameOf(set), '', source),
    ...{ namespace: namespaceOf(set), place, set: key },
  });
  try {
    const made = applicationsOf(set, given);
    const names = made.map(nameOf);
    const twice = names.find((name, index) => name === '' || names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw rejected(twice === '' ? 'it makes an Application without a name' : `it makes ${twice} twice`);
    }
    const namespace = namespaceOf(set);
    return made.map((application) => ({
      ...readApplication(application, `${place} (ApplicationSet ${nameOf(set)})`, given, set),
      ...{ namespace, set: key },
    }));
  } catch (error) {
    if (!(error instanceof NotRendered)) throw error;
    const { message: reason, type } = error;
    if (type === 'fails') return [itself({ type, path: '', reason })];
    return [itself({ type, path: '', reason, ...(isElsewhere(set, given.urls) && { elsewhere: toJsonText(set) }) })];
  }
}

/** Reports whether all Applications of a set are deployed from other repositories. */
function isElsewhere(set: ValueMap, urls: readonly string[]): boolean {
  const spec = getAt(set, ['spec', 'template', 'spec']);
  const sources = [...listAt(spec, 'sources'), get(spec, 'source') ?? null].filter(isMap);
  const hasTemplates = toJsonText(get(set, 'spec') ?? null).match(/"template(Patch)?":/g)?.length !== 1;
  return (
    !hasTemplates &&
    sources.length > 0 &&
    sources.every((source) => {
      const url = textAt(source, 'repoURL');
      return url !== '' && !url.includes('{{') && !isSameRepository(url, urls);
    })
  );
}

/**
 * The Applications that Argo CD makes of an ApplicationSet.
 * @throws NotRendered with the reason why they are not known, or why Argo CD rejects it
 */
export function applicationsOf(set: ValueMap, given: Omit<GeneratorContext, 'language'>): ValueMap[] {
  const spec = get(set, 'spec');
  const generators = get(spec, 'generators');
  const template = get(spec, 'template');
  const patch = get(spec, 'templatePatch');
  if (!isMap(template) || !Array.isArray(generators)) throw rejected('it has no template and generators');
  const language = languageOf(spec);
  const context = { ...given, language };
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
  return generators.filter(hasType).flatMap((generator) => {
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
    throw rejected(`${part === 'generators' ? 'a template of its generators' : `its ${part}`} fails: ${error.message}`);
  }
}

function languageOf(spec: Value | undefined): TemplateLanguage {
  const goTemplate = get(spec, 'goTemplate') === true;
  let missingKey: MissingKey = 'default';
  for (const option of goTemplate ? textsOf(get(spec, 'goTemplateOptions')) : []) {
    const [, known] = /^missingkey=(default|invalid|zero|error)$/.exec(option) ?? [];
    if (known === undefined) throw rejected(`its goTemplateOptions has ${option}, which Go does not know`);
    missingKey = known === 'invalid' ? 'default' : (known as MissingKey);
  }
  return { goTemplate, missingKey };
}
