import type { App } from '../app.ts';
import type { FieldOrigin, OriginStep } from '../engine/protocol.ts';
import { h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';

/** Shows the origin of a field, step by step, with links. */
export function showOrigin(element: HTMLElement, origin: FieldOrigin | { fault: string } | undefined, app: App): void {
  element.hidden = origin === undefined;
  element.classList.remove('stale');
  element.setAttribute('aria-label', 'Where it comes from');
  if (origin === undefined) {
    element.replaceChildren();
    return;
  }
  const close = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Close', on: { click: () => app.explain(undefined, [], 'show') } },
    icon('close'),
  );
  if ('fault' in origin) {
    element.replaceChildren(h('p', { class: 'faint' }, origin.fault), close);
    return;
  }
  element.replaceChildren(
    h('h2', {}, origin.field, h('span', { class: 'faint' }, ` of ${origin.object}`)),
    close,
    stepsOf(origin.steps, app),
  );
}

/** Returns steps to a source as a list, with links. */
export function stepsOf(steps: readonly OriginStep[], app: App): HTMLElement {
  const items = steps.map(({ depth, from, what, value, expression, place }) => {
    const text = [
      h('span', { class: 'from' }, from),
      ` ${what}`,
      expression === undefined ? undefined : h('code', {}, ` \${${expression}}`),
      value === undefined ? undefined : h('span', { class: 'value' }, ` = ${value}`),
    ];
    const isOpen = place !== undefined && app.workspace.file(place.file) !== undefined;
    const content = isOpen
      ? h(
          'button',
          { type: 'button', class: 'step', on: { click: () => app.reveal(place) } },
          h('span', { class: 'place' }, `${place.file}:${place.line}`),
          ' ',
          ...text,
        )
      : h('span', { class: 'step' }, ...text);
    return h('li', { class: `depth-${Math.min(depth, 6)}` }, content);
  });
  return h('ol', {}, ...items);
}
