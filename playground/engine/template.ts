import { type KubernetesObject, render } from '../../src/api/index.ts';
import { ownValue } from '../../src/core/model/value.ts';
import { valueIn } from './package.ts';
import type { Rendered, TemplateFunction, TemplateStep } from './protocol.ts';
import { renderedObject } from './render.ts';
import { FAILING, TEMPLATE_EXAMPLES } from './template-examples.ts';

/** Renders the template of a ResourceSet with a list of inputs. */
export function renderTemplate(template: string, inputs: string): Rendered {
  const value = valueIn({ file: 'inputs', text: inputs });
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const { objects, diagnostics } = rendered(template, list);
  return { objects: objects.map(renderedObject), diagnostics };
}

/**
 * Returns the stages of each pipeline for the first inputs. Actions inside of a block are omitted: their dot is
 * something else.
 */
export function templateSteps(template: string, inputs: string): TemplateStep[] {
  const value = valueIn({ file: 'inputs', text: inputs });
  const [first = {}] = Array.isArray(value) ? value : [value];
  let depth = 0;
  return [...template.matchAll(/<<-?\s*([\s\S]*?)\s*-?>>/g)].flatMap(({ index, 1: action = '' }) => {
    if (/^(?:if|with|range|define|block)\b/.test(action)) depth += 1;
    else if (/^end\b/.test(action)) depth -= 1;
    else if (depth === 0 && !/^(?:else|break|continue|template|\/\*)|:?=/.test(action)) {
      const parts = action.match(/(?:"(?:\\.|[^"\\])*"|`[^`]*`|\([^()]*\)|[^|])+/g) ?? [];
      const stages = parts.map((part, at) => {
        const source = `<< (${parts.slice(0, at + 1).join('|')}) | toJson | toJson >>`;
        const { objects, diagnostics } = rendered(
          `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: ${source}\n`,
          [first],
        );
        const data = (objects[0]?.data ?? {}) as Record<string, string>;
        return { text: `${at === 0 ? '' : '| '}${part.trim()}`, value: data.a ?? diagnostics[0]?.message ?? '' };
      });
      return [{ line: template.slice(0, index).split('\n').length, stages }];
    }
    return [];
  });
}

/** Every function of templates with an example and its result. */
export function templateFunctions(): TemplateFunction[] {
  const names = Object.keys(TEMPLATE_EXAMPLES);
  const texts = textsOf(names.filter((name) => !FAILING.includes(name)));
  return names.map((name) => {
    const example = TEMPLATE_EXAMPLES[name] ?? '';
    return { name, example, result: texts.get(name) ?? messageOf(example) };
  });
}

/** The results of examples as text, rendered together. */
function textsOf(names: readonly string[]): Map<string, string> {
  const entries = names.map((name) => `  ${name}: << (${ownValue(TEMPLATE_EXAMPLES, name)}) | toString | toJson >>\n`);
  const [object] = rendered(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${entries.join('')}`).objects;
  return new Map(Object.entries((object?.data ?? {}) as Record<string, string>));
}

const messageOf = (example: string): string => rendered(`<< ${example} >>`).diagnostics[0]?.message ?? '';

function rendered(template: string, inputs: readonly unknown[] = [{ team: 'web' }]): ReturnType<typeof render> {
  const set = {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'templates', namespace: 'default' },
    spec: { inputs, resourcesTemplate: template },
  };
  return render({ objects: [set as unknown as KubernetesObject] });
}
