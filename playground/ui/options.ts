import type { App } from '../app.ts';
import type { PackageOptions } from '../engine/protocol.ts';
import { choice } from './choice.ts';
import { h } from './dom.ts';

/** Asks for the options of the package. */
export function askOptions(app: App): void {
  const {
    namespace = '',
    onPending = 'fail',
    strict = false,
    assumeEmptyStatus = false,
    kro,
    experimental,
  } = app.workspace.contents.options;
  const name = h('input', { type: 'text', id: 'option-namespace', value: namespace, autocomplete: 'off' });
  const pending = choice('What to do with a node that needs a live value', () => undefined);
  pending.offer(['fail', 'skip', 'passthrough', 'placeholder'].map((one) => [one, one]));
  pending.value = onPending;
  const isStrict = h('input', { type: 'checkbox', id: 'option-strict', checked: strict });
  const isEmpty = h('input', { type: 'checkbox', id: 'option-empty', checked: assumeEmptyStatus });
  const isNext = h('input', { type: 'checkbox', id: 'option-kro', checked: kro !== undefined });
  const hasGraphs = h('input', { type: 'checkbox', id: 'option-graph', checked: experimental !== undefined });
  const form = h(
    'form',
    { method: 'dialog' },
    h('label', { for: 'option-namespace' }, 'Namespace of instances that name none'),
    name,
    h('span', { class: 'label' }, 'What to do with a node that needs a live value'),
    pending.element,
    h('label', { for: 'option-strict' }, isStrict, ' Reject what kro rejects (--strict)'),
    h('label', { for: 'option-empty' }, isEmpty, ' Treat missing statuses as empty (--assume-empty-status)'),
    h('label', { for: 'option-kro' }, isNext, ' Render as kro 0.10 will (--kro 0.10)'),
    h('label', { for: 'option-graph' }, hasGraphs, ' Render the kind Graph (--experimental graph)'),
    h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, 'OK')),
  );
  const dialog = h('dialog', { 'aria-label': 'Options' }, form);
  form.addEventListener('submit', () => {
    app.workspace.setOptions({
      ...(name.value === '' ? {} : { namespace: name.value }),
      ...(pending.value === 'fail' ? {} : { onPending: pending.value as NonNullable<PackageOptions['onPending']> }),
      ...(isStrict.checked ? { strict: true } : {}),
      ...(isEmpty.checked ? { assumeEmptyStatus: true } : {}),
      ...(isNext.checked ? { kro: '0.10' } : {}),
      ...(hasGraphs.checked ? { experimental: ['graph'] } : {}),
    });
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
