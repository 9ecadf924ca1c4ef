import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { App } from '../app.ts';
import { bare } from '../editor/setup.ts';
import { smallEditor } from '../editor/small.ts';
import { Superseded } from '../engine/client.ts';
import type { CelAnswer, CelFunction, CelQuestion } from '../engine/protocol.ts';
import { h } from '../ui/dom.ts';
import { FunctionTable } from './function-table.ts';

type CelRow = CelFunction & { readonly note: string };

const EXPRESSION = 'services.filter(s, s.port > 1024).map(s, s.name).join(", ")';
const VARIABLES = `services:
  - name: web
    port: 8080
  - name: metrics
    port: 9090
  - name: dns
    port: 53
`;

/** The CEL view: variables, type, result, cost, and every function with an example. */
export function celView(element: HTMLElement, { engine }: App): void {
  const dialect = h(
    'select',
    { 'aria-label': 'Functions of', on: { change: () => void evaluate() } },
    ...[
      ['kro', 'kro: expressions of RGDs'],
      ['kubernetes', 'Kubernetes: validation rules'],
      ['standard', 'CEL alone'],
    ].map(([value = '', title = '']) => h('option', { value }, title)),
  );
  const result = h('output', { class: 'answer', 'aria-live': 'polite', 'aria-label': 'Result', tabindex: 0 });
  const expressionBox = h('div', { class: 'small-editor' });
  const variablesBox = h('div', { class: 'small-editor tall' });
  const functions = new FunctionTable<CelRow>(({ example, dialect: own }) => use(example, own));
  element.replaceChildren(
    h('div', {}, h('h2', {}, 'Expression ', dialect), expressionBox, h('h2', {}, 'Variables, as YAML'), variablesBox),
    h('div', {}, h('h2', {}, 'Result'), result, h('h2', {}, 'Functions ', functions.search), functions.element),
  );
  const changed = EditorView.updateListener.of(({ docChanged }) => {
    if (docChanged) void evaluate();
  });
  const editor = (parent: HTMLElement, doc: string, label: string, isYaml: boolean): EditorView =>
    new EditorView({
      parent,
      state: EditorState.create({ doc, extensions: [bare, smallEditor(label, isYaml), changed] }),
    });
  const expression = editor(expressionBox, EXPRESSION, 'CEL expression', false);
  const variables = editor(variablesBox, VARIABLES, 'Variables as YAML', true);

  async function evaluate(): Promise<void> {
    const question: CelQuestion = {
      expression: expression.state.doc.toString(),
      variables: variables.state.doc.toString(),
      dialect: dialect.value as CelQuestion['dialect'],
    };
    try {
      result.replaceChildren(...answerOf(await engine.ask('cel', question)));
    } catch (error) {
      if (!(error instanceof Superseded)) result.replaceChildren(h('p', { class: 'fault' }, (error as Error).message));
    }
  }

  function use(example: string, own: CelQuestion['dialect']): void {
    dialect.value = own;
    expression.dispatch({ changes: { from: 0, to: expression.state.doc.length, insert: example } });
    expression.focus();
  }

  void evaluate();
  void engine.ask('celFunctions').then((found) => {
    functions.show(
      found.map((one) => ({ ...one, note: one.dialect === 'kro' ? one.library : `${one.library}, not in RGDs` })),
    );
  });
}

function answerOf({ type, value, cost, faults }: CelAnswer): HTMLElement[] {
  const facts = [
    ...(type === undefined ? [] : [`type ${type}`]),
    ...(cost === undefined ? [] : [`cost ${cost.steps} steps, size ${Math.round(cost.size)}`]),
  ];
  return [
    ...(value === undefined ? [] : [h('pre', {}, value)]),
    ...faults.map(({ reason, message, offset, hint }) =>
      h(
        'p',
        { class: 'fault' },
        `${reason}${offset === undefined ? '' : ` at character ${offset + 1}`}: ${message}`,
        hint !== undefined && h('span', { class: 'hint' }, hint),
      ),
    ),
    ...(facts.length === 0 ? [] : [h('p', { class: 'faint' }, facts.join(', '))]),
  ];
}
