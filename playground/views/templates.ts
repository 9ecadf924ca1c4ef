import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { App } from '../app.ts';
import { bare } from '../editor/setup.ts';
import { smallEditor } from '../editor/small.ts';
import { Superseded } from '../engine/client.ts';
import { linesOf } from '../panels/yaml-lines.ts';
import { h } from '../ui/dom.ts';
import { type FunctionRow, FunctionTable } from './function-table.ts';

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
    h('div', {}, h('h2', {}, 'Objects'), result, h('h2', {}, 'Functions ', functions.search), functions.element),
  );
  const changed = EditorView.updateListener.of(({ docChanged }) => {
    if (docChanged) void render();
  });
  const editor = (parent: HTMLElement, doc: string, label: string): EditorView =>
    new EditorView({
      parent,
      state: EditorState.create({ doc, extensions: [bare, smallEditor(label, true), changed] }),
    });
  const template = editor(templateBox, TEMPLATE, 'Template');
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
    } catch (error) {
      if (!(error instanceof Superseded)) result.replaceChildren(h('p', { class: 'fault' }, (error as Error).message));
    }
  }
  void render();
  void engine.ask('templateFunctions').then((found) => functions.show(found.map((one) => ({ ...one, note: '' }))));
}
