import type { FormSchema } from '../engine/protocol.ts';
import { choice } from '../ui/choice.ts';
import { button, h } from '../ui/dom.ts';

/** A part of a form: its element, and its current value; undefined if it is omitted. */
export interface Field {
  readonly element: HTMLElement;
  value(): unknown;
}

let ids = 0;

/** Returns the fields of a schema. `onChange` is called after every change. */
export function fieldOf(name: string, schema: FormSchema, required: boolean, onChange: () => void): Field {
  if (schema.enum !== undefined) return choiceField(name, schema, required, onChange);
  switch (typeOf(schema)) {
    case 'object':
      return schema.properties === undefined ? mapField(name, schema, onChange) : objectField(name, schema, onChange);
    case 'array':
      return listField(name, schema, onChange);
    case 'boolean':
      return choiceField(name, { ...schema, enum: [true, false] }, required, onChange);
    default:
      return textField(name, schema, required, onChange);
  }
}

const typeOf = ({ type, properties }: FormSchema): string => type ?? (properties === undefined ? 'string' : 'object');

function labelled(
  name: string,
  { description, default: given }: FormSchema,
  required: boolean,
  input: HTMLElement,
): HTMLElement {
  ids += 1;
  input.id = `field-${ids}`;
  const about = [description, given === undefined ? undefined : `default ${JSON.stringify(given)}`].filter(
    (text) => text !== undefined,
  );
  return h(
    'div',
    { class: 'field' },
    h('label', { for: input.id }, name, required ? ' *' : ''),
    input,
    about.length > 0 && h('span', { class: 'about' }, about.join('. ')),
  );
}

function textField(name: string, schema: FormSchema, required: boolean, onChange: () => void): Field {
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const { minimum: min, maximum: max, minLength: minlength, maxLength: maxlength, pattern, default: given } = schema;
  const input = h('input', {
    type: isNumber ? 'number' : 'text',
    step: schema.type === 'number' ? 'any' : undefined,
    required,
    placeholder: given === undefined ? undefined : String(given),
    autocomplete: 'off',
    ...(isNumber ? { min, max } : { minlength, maxlength, pattern: pattern && `.*(?:${pattern}).*` }),
    on: { input: onChange },
  });
  const value = (): unknown => (input.value === '' ? undefined : isNumber ? Number(input.value) : input.value);
  return { element: labelled(name, schema, required, input), value };
}

function choiceField(name: string, schema: FormSchema, required: boolean, onChange: () => void): Field {
  const choices = schema.enum ?? [];
  const select = choice(name, onChange);
  select.offer([
    ['', required ? '(choose)' : '(omitted)'],
    ...choices.map((one, index) => [String(index), String(one)] as const),
  ]);
  const value = (): unknown => (select.value === '' ? undefined : choices[Number(select.value)]);
  return { element: labelled(name, schema, required, select.element), value };
}

function objectField(name: string, schema: FormSchema, onChange: () => void): Field {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([key, inner]) => [key, fieldOf(key, inner, schema.required?.includes(key) ?? false, onChange)] as const,
  );
  const about = schema.description === undefined ? undefined : h('p', { class: 'faint' }, schema.description);
  const element = h('fieldset', {}, h('legend', {}, name), about, ...fields.map(([, field]) => field.element));
  return { element, value: () => present(fields.map(([key, field]) => [key, field.value()])) };
}

/** Returns the members with a value; undefined if there are none. */
function present(members: readonly (readonly [string, unknown])[]): unknown {
  const given = members.filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function listField(name: string, schema: FormSchema, onChange: () => void): Field {
  const items = rowsOf(onChange, () => {
    const field = fieldOf('item', schema.items ?? {}, true, onChange);
    return { element: field.element, value: () => field.value() };
  });
  const element = h('fieldset', {}, h('legend', {}, name), items.element);
  return {
    element,
    value: () => {
      const values = items.values().filter((value) => value !== undefined);
      return values.length === 0 ? undefined : values;
    },
  };
}

function mapField(name: string, schema: FormSchema, onChange: () => void): Field {
  const inner = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const entries = rowsOf(onChange, () => {
    const key = textField('key', {}, true, onChange);
    const value = fieldOf('value', inner, true, onChange);
    return { element: h('div', {}, key.element, value.element), value: () => [key.value(), value.value()] };
  });
  const element = h('fieldset', {}, h('legend', {}, name), entries.element);
  return {
    element,
    value: () =>
      present(
        (entries.values() as [string | undefined, unknown][]).flatMap(([key, value]) =>
          key === undefined ? [] : [[key, value] as const],
        ),
      ),
  };
}

/** Returns rows that can be added and removed. */
function rowsOf(onChange: () => void, make: () => Field): { element: HTMLElement; values(): unknown[] } {
  const rows = new Map<HTMLElement, Field>();
  const list = h('div');
  const add = button('Add', () => {
    const field = make();
    const remove = button('Remove', () => {
      rows.delete(row);
      row.remove();
      add.focus();
      onChange();
    });
    const row = h('div', { class: 'row' }, field.element, remove);
    rows.set(row, field);
    list.append(row);
    row.querySelector<HTMLElement>('input, select')?.focus();
    onChange();
  });
  return { element: h('div', {}, list, add), values: () => [...rows.values()].map((field) => field.value()) };
}
