import type { Diagnostic } from '../../src/api/index.ts';
import { isPending } from '../../src/core/diagnostics/index.ts';
import { groupBy } from '../../src/core/model/group-by.ts';
import type { App } from '../app.ts';
import type { PendingRow, SkippedNode } from '../engine/protocol.ts';
import { h } from '../ui/dom.ts';

/** What an instance does not render: pending nodes with fields for their values, and skipped nodes with conditions. */
interface InstanceNotes {
  readonly pending: readonly HTMLElement[];
  readonly skipped: readonly HTMLElement[];
}

/** The notes of each instance, by `Kind/name`. */
export type Notes = ReadonlyMap<string, InstanceNotes>;

/** Returns the notes of a rendering with these diagnostics. */
export async function notesOf(app: App, diagnostics: readonly Diagnostic[]): Promise<Notes> {
  const { engine, workspace } = app;
  const pack = workspace.package;
  const isSkipping = diagnostics.some(({ code }) => code === 'node-skipped');
  const isWaiting = diagnostics.some((one) => isPending(one));
  const waiting = isWaiting ? (await engine.ask('pending', pack)).values : [];
  const skipped = isSkipping ? await engine.ask('skipped', pack) : [];
  const rows = waiting.map((row, index) => ({ instance: instanceOf(row), element: pendingRow(app, row, index) }));
  const pendingOf = groupBy(rows, ({ instance }) => instance);
  const skippedOf = groupBy(skipped, ({ instance }) => instance);
  const instances = [...pendingOf.keys(), ...skippedOf.keys()];
  return new Map(
    instances.map((instance) => [
      instance,
      {
        pending: (pendingOf.get(instance) ?? []).map(({ element }) => element),
        skipped: (skippedOf.get(instance) ?? []).map(skippedRow),
      },
    ]),
  );
}

const instanceOf = ({ instance }: PendingRow): string => `${instance.kind}/${instance.name}`;

/** A node that waits for a value of an object, with a field for it. */
function pendingRow(app: App, { node, path, reader, expression, optional }: PendingRow, index: number): HTMLElement {
  const text = h(
    'div',
    { class: 'note-text' },
    'waits for ',
    h('code', {}, path === '' ? 'the object' : path),
    ' of ',
    h('b', {}, reader),
    optional ? ' (optional)' : '',
    h('span', { class: 'faint' }, ` ${expression}`),
  );
  const row = h('div', { class: 'note pending', 'data-node': node }, h('span', { class: 'node' }, node ?? ''), text);
  if (path === '') {
    row.append(h('span', { class: 'faint' }, 'Add the object to a file of observed objects.'));
    return row;
  }
  const input = h('input', {
    type: 'text',
    autocomplete: 'off',
    placeholder: 'value',
    'aria-label': `Value of ${path} of ${reader}`,
  });
  const form = h('form', { class: 'row' }, input, h('button', { type: 'submit' }, 'Fill in'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void fillIn(app, index, input.value);
  });
  row.append(form);
  return row;
}

async function fillIn({ workspace, engine, notify }: App, row: number, value: string): Promise<void> {
  try {
    const file = await engine.ask('fillIn', workspace.package, row, value);
    const { active } = workspace;
    workspace.put(file);
    workspace.activate(active);
    notify(`Written to ${file.name}, which stands for what a cluster would say.`);
  } catch (error) {
    notify((error as Error).message);
  }
}

/** A node that is skipped, with its condition and the values that it reads. */
function skippedRow({ node, kind, why, values }: SkippedNode): HTMLElement {
  return h(
    'div',
    { class: 'note skipped' },
    h('span', { class: 'node' }, node),
    h(
      'div',
      { class: 'note-text' },
      `${kind} is skipped: `,
      h('code', {}, why),
      ...values.flatMap(({ text, value }) => ['; ', h('code', {}, text), ' is ', h('code', { class: 'value' }, value)]),
    ),
  );
}
