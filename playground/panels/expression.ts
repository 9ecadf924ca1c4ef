import type { App } from '../app.ts';
import type { ExpressionAt, ExpressionPart } from '../engine/protocol.ts';
import { h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { menuButton } from '../ui/menu.ts';
import { stepsOf } from './origin.ts';

/** Shows the expression at the cursor: its value in an instance, its type, its parts, and what it reads. */
export function showExpression(
  element: HTMLElement,
  found: ExpressionAt,
  app: App,
  choose: (instance: string) => void,
): void {
  const { text, type, field, value, isFault, note, parts, reads } = found;
  const close = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Close', on: { click: () => app.explain(undefined, [], 'show') } },
    icon('close'),
  );
  const result = h(
    'p',
    { class: 'expression-value' },
    value !== '' && h('code', { class: isFault ? 'fault' : 'value' }, isFault ? value : `= ${value}`),
    ' ',
    h('span', { class: 'badge type' }, type),
    note !== '' && h('span', { class: 'faint' }, ` ${note}`),
  );
  element.hidden = false;
  element.setAttribute('aria-label', 'The expression at the cursor');
  element.replaceChildren(
    h('h2', {}, `\${${text}}`, h('span', { class: 'faint' }, ` ${field}`)),
    instanceOf(found, choose),
    close,
    result,
    ...(parts.length === 0 ? [] : [partsTable(parts)]),
    ...(reads.length === 0 ? [] : [stepsOf(reads, app)]),
  );
}

/** The instance, as a menu if there are several. */
function instanceOf({ instance, instances }: ExpressionAt, choose: (instance: string) => void): HTMLElement {
  const shown = [h('span', { class: 'faint' }, 'in '), h('span', { class: 'chosen' }, instance)];
  if (instances.length < 2) return h('p', { class: 'expression-instance' }, ...shown);
  const items = instances.map(({ address, title }) => ({
    title,
    checked: address === instance,
    run: () => choose(address),
  }));
  return menuButton('Instance of the expression', shown, () => items, { class: 'choice expression-instance' });
}

const partsTable = (parts: readonly ExpressionPart[]): HTMLElement =>
  h(
    'table',
    { class: 'expression-parts', 'aria-label': 'Parts of the expression' },
    h(
      'tbody',
      {},
      ...parts.map(({ depth, text, value, isFault }) =>
        h(
          'tr',
          {},
          h('td', {}, h('code', { class: `part depth-${Math.min(depth, 8)}` }, text)),
          h('td', { class: isFault ? 'fault' : undefined }, h('code', {}, value)),
        ),
      ),
    ),
  );
