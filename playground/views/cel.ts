import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { App } from '../app.ts';
import { assisted } from '../editor/assisted.ts';
import { bare } from '../editor/setup.ts';
import { smallEditor } from '../editor/small.ts';
import { Superseded } from '../engine/client.ts';
import type { CelAnswer, CelFunction, CelQuestion, CelStep } from '../engine/protocol.ts';
import { choice } from '../ui/choice.ts';
import { h } from '../ui/dom.ts';
import { FunctionTable } from './function-table.ts';
import { stepsTable } from './steps.ts';

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
  const dialect = choice('Functions of', () => void evaluate());
  dialect.offer([
    ['kro', 'kro: expressions of RGDs'],
    ['kubernetes', 'Kubernetes: validation rules'],
    ['standard', 'CEL alone'],
  ]);
  const steps = h('div', { class: 'steps' });
  const result = h('output', { class: 'answer', 'aria-live': 'polite', 'aria-label': 'Result', tabindex: 0 });
  const expressionBox = h('div', { class: 'small-editor' });
  const variablesBox = h('div', { class: 'small-editor tall' });
  const functions = new FunctionTable<CelRow>(({ example, dialect: own }) => use(example, own));
  element.replaceChildren(
    h(
      'div',
      {},
      h('h2', {}, 'Expression ', dialect.element),
      expressionBox,
      h('h2', {}, 'Variables, as YAML'),
      variablesBox,
    ),
    h('div', {}, h('h2', {}, 'Result'), result, steps, h('h2', {}, 'Functions ', functions.search), functions.element),
  );
  const changed = EditorView.updateListener.of(({ docChanged }) => {
    if (docChanged) void evaluate();
  });
  const editor = (parent: HTMLElement, doc: string, label: string, isYaml: boolean, own?: Extension): EditorView =>
    new EditorView({
      parent,
      state: EditorState.create({ doc, extensions: [bare, smallEditor(label, isYaml, own), changed] }),
    });
  const assistance = assisted(
    (at) => engine.ask('celCompletions', asked(), at),
    (at) => engine.ask('celExplanation', asked(), at),
  );
  const expression = editor(expressionBox, EXPRESSION, 'CEL expression', false, assistance);
  const variables = editor(variablesBox, VARIABLES, 'Variables as YAML', true);

  function asked(): CelQuestion {
    return {
      expression: expression.state.doc.toString(),
      variables: variables.state.doc.toString(),
      dialect: dialect.value as CelQuestion['dialect'],
    };
  }

  async function evaluate(): Promise<void> {
    try {
      const answer = await engine.ask('cel', asked());
      result.replaceChildren(...answerOf(answer));
      steps.replaceChildren(...(answer.steps === undefined ? [] : [tableOf(answer.steps)]));
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

/** The parts of the expression, with their types and values. */
const tableOf = (steps: readonly CelStep[]): HTMLElement =>
  stepsTable(
    'Step by step',
    ['Part', 'Type', 'Value'],
    steps.map(({ depth, text, type, values, isFault }) => [
      h('td', {}, h('code', { class: `part depth-${Math.min(depth, 8)}` }, text)),
      h('td', { class: 'faint' }, type),
      h(
        'td',
        { class: isFault ? 'fault' : undefined },
        ...values.map((value) => h('code', { class: 'step-value' }, shortened(value))),
      ),
    ]),
  );

const shortened = (value: string): string => {
  const line = value.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
};

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
