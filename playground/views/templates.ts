import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { App } from '../app.ts';
import { assisted } from '../editor/assisted.ts';
import { bare } from '../editor/setup.ts';
import { smallEditor } from '../editor/small.ts';
import { Superseded } from '../engine/client.ts';
import type { Completions, TemplateFunction, TemplateStep } from '../engine/protocol.ts';
import { linesOf } from '../panels/yaml-lines.ts';
import { h } from '../ui/dom.ts';
import { type FunctionRow, FunctionTable } from './function-table.ts';
import { stepsTable } from './steps.ts';

const TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata:
  name: << inputs.team | slugify >>
  namespace: default
data:
  members: << inputs.members | join ", " | quote >>
<< with get inputs "lead" >>
  lead: << upper . | quote >>
<< end >>
`;
const INPUTS = `- team: Data Platform
  members: [ada, grace]
  lead: ada
- team: Web
  members: [tim]
`;
const FUNCTIONS = 'https://go-task.github.io/slim-sprig/';

/** The template view: inputs, and the rendered objects. */
export function templateView(element: HTMLElement, { engine }: App): void {
  const result = h('output', { class: 'answer', 'aria-live': 'polite', 'aria-label': 'Result', tabindex: 0 });
  const steps = h('div', { class: 'steps' });
  let known: readonly TemplateFunction[] = [];
  const templateBox = h('div', { class: 'small-editor tall' });
  const inputsBox = h('div', { class: 'small-editor' });
  const functions = new FunctionTable(({ example }: FunctionRow) => use(example));
  element.replaceChildren(
    h(
      'div',
      {},
      h('h2', {}, 'resourcesTemplate of a ResourceSet'),
      templateBox,
      h('h2', {}, 'Inputs, as YAML: the template is rendered once for each'),
      inputsBox,
      h(
        'p',
        { class: 'faint' },
        `Templates are Go's text/template between << and >>, with the functions of slim-sprig (${FUNCTIONS}).`,
      ),
    ),
    h('div', {}, h('h2', {}, 'Objects'), result, steps, h('h2', {}, 'Functions ', functions.search), functions.element),
  );
  const changed = EditorView.updateListener.of(({ docChanged }) => {
    if (docChanged) void render();
  });
  const editor = (parent: HTMLElement, doc: string, label: string, own?: Extension): EditorView =>
    new EditorView({
      parent,
      state: EditorState.create({ doc, extensions: [bare, smallEditor(label, true, own), changed] }),
    });
  const assistance = assisted(
    async (at) => completionsAt(template.state.doc.toString(), at, inputs.state.doc.toString(), known),
    async (at) => explanationAt(template.state.doc.toString(), at, known),
  );
  const template = editor(templateBox, TEMPLATE, 'Template', assistance);
  const inputs = editor(inputsBox, INPUTS, 'Inputs as YAML');

  /** Inserts an action at the cursor. */
  function use(example: string): void {
    template.dispatch(template.state.replaceSelection(`<< ${example} >>`));
    template.focus();
  }

  async function render(): Promise<void> {
    try {
      const { objects, diagnostics } = await engine.ask(
        'template',
        template.state.doc.toString(),
        inputs.state.doc.toString(),
      );
      const faults = diagnostics.map(({ severity, message, hint }) =>
        h(
          'p',
          { class: severity === 'error' ? 'fault' : 'faint' },
          `${severity}: ${message}`,
          hint !== undefined && h('span', { class: 'hint' }, hint),
        ),
      );
      result.replaceChildren(
        ...faults,
        ...objects.map(({ yaml }, index) =>
          h(
            'pre',
            { class: 'yaml', tabindex: 0, role: 'region', 'aria-label': `Rendered object ${index + 1}` },
            ...linesOf(yaml),
          ),
        ),
      );
      const asked = [template.state.doc.toString(), inputs.state.doc.toString()] as const;
      steps.replaceChildren(...stepsList(await engine.ask('templateSteps', ...asked)));
    } catch (error) {
      if (!(error instanceof Superseded)) result.replaceChildren(h('p', { class: 'fault' }, (error as Error).message));
    }
  }
  void render();
  void engine.ask('templateFunctions').then((found) => {
    known = found;
    functions.show(found.map((one) => ({ ...one, note: '' })));
  });
}

/** The pipelines with their values for the first inputs. */
const stepsList = (steps: readonly TemplateStep[]): HTMLElement[] => {
  if (steps.length === 0) return [];
  const rows = steps.flatMap(({ line, stages }) =>
    stages.map(({ text, value }, at) => [
      h('td', { class: 'faint' }, at === 0 ? String(line) : ''),
      h('td', {}, h('code', { class: `part depth-${at === 0 ? 0 : 1}` }, text)),
      h('td', {}, h('code', { class: 'step-value' }, value)),
    ]),
  );
  return [stepsTable('Step by step, for the first inputs', ['Line', 'Part', 'Value'], rows)];
};

/** Returns functions, and the keys of inputs, inside of `<< >>`. */
function completionsAt(
  text: string,
  at: number,
  inputs: string,
  functions: readonly TemplateFunction[],
): Completions | undefined {
  const before = text.slice(text.lastIndexOf('<<', at - 1), at);
  if (!before.startsWith('<<') || before.includes('>>')) return undefined;
  const word = /[\w.]*$/.exec(before)?.[0] ?? '';
  const dot = word.lastIndexOf('.');
  const one = (label: string, kind: string, detail: string, rank: number): Completions['items'][number] => {
    return { label, kind, text: label, isSnippet: false, detail, rank };
  };
  const keys = [...new Set([...inputs.matchAll(/^\s*(?:- )?([A-Za-z_]\w*):/gm)].map(([, key = '']) => key))];
  const items =
    dot < 0
      ? [one('inputs', 'variable', 'the inputs', 0), ...functions.map(({ name }) => one(name, 'function', '', 1))]
      : keys.map((key) => one(key, 'field', 'of the inputs', 0));
  return { from: at - (word.length - dot - 1), items };
}

/** Returns the example of a function, with its result. */
function explanationAt(text: string, at: number, functions: readonly TemplateFunction[]): string | undefined {
  const start = at - (/\w*$/.exec(text.slice(0, at))?.[0].length ?? 0);
  const name = /^\w+/.exec(text.slice(start))?.[0];
  const open = text.lastIndexOf('<<', at);
  const found = functions.find((one) => one.name === name);
  return found === undefined || open < 0 || text.slice(open, at).includes('>>')
    ? undefined
    : `${found.example}\n= ${found.result}`;
}
