import { describe, expect, it } from 'vitest';
import { configMap, extracted, messagesOf } from './extracting.ts';

const ITEMS = 20_000;

const widget = (name: string, spec: string): string =>
  `apiVersion: example.org/v1\nkind: Widget\nmetadata: { name: ${name} }\nspec: ${spec}\n`;

const errorsOf = (result: ReturnType<typeof extracted>): string[] =>
  messagesOf(result.diagnostics.filter(({ severity }) => severity === 'error'));

/** JSON of a list whose items depend on the copy and the index. */
const listOf = (copy: number, item: (copy: number, index: number) => unknown, length = ITEMS): string =>
  JSON.stringify(Array.from({ length }, (_, index) => item(copy, index)));

const copiesOf = (text: (copy: number) => string, count = 3): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, copy) => [`copy-${copy}`, text(copy)]));

describe('copies with 20,000 values', () => {
  const shapes: Readonly<Record<string, (copy: number) => string>> = {
    'equal items': () => listOf(0, (_, index) => ({ name: `n${index}`, value: index })),
    'other items in each copy': (copy) => listOf(copy, (own, index) => ({ name: `n${own}x${index}`, value: index })),
    'items of one name with other values': (copy) =>
      listOf(copy, (own, index) => ({ name: `n${index}`, value: own * index })),
    'items without names': (copy) => listOf(copy, (own, index) => ({ a: index, b: own + index })),
    'other numbers of items': (copy) => listOf(copy, (_, index) => ({ a: index, b: `x${index}` }), ITEMS - copy),
    texts: (copy) => listOf(copy, (own, index) => `t${own}-${index}`),
    numbers: (copy) => listOf(copy, (own, index) => own * index),
    'lists in items': (copy) =>
      listOf(
        copy,
        (own, index) => ({ a: index, b: Array.from({ length: (own + index) % 3 }, () => ({ c: index, d: own })) }),
        ITEMS / 4,
      ),
    'items with parts that some lack': (copy) =>
      listOf(copy, (own, index) => ({ a: index, ...((own + index) % 2 === 0 ? { b: index } : { c: { d: index } }) })),
  };
  for (const [title, items] of Object.entries(shapes)) {
    it(`takes a list of ${title}`, () => {
      const result = extracted(copiesOf((copy) => widget(`w-${copy}`, `{ fixed: x, items: ${items(copy)} }`)));
      expect(errorsOf(result)).toEqual([]);
      expect(result.report?.objects).toBe(3);
    });
  }

  it('takes a map of them', () => {
    const data = (copy: number): string =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: ITEMS }, (_, index) => [`k${index}`, `v${copy}-${index}`])),
      );
    const result = extracted(copiesOf((copy) => widget(`w-${copy}`, `{ fixed: x, data: ${data(copy)} }`)));
    expect(errorsOf(result)).toEqual([]);
    expect(result.report?.notGeneralised).toEqual([{ place: 'widget.spec.data', why: 'size' }]);
  });

  it('takes a text of as many lines', () => {
    const text = (copy: number): string =>
      JSON.stringify(
        Array.from({ length: ITEMS }, (_, at) => (at % 9 === 0 ? `a${copy}-${at}` : `line ${at}`)).join('\n'),
      );
    const result = extracted(copiesOf((copy) => widget(`w-${copy}`, `{ fixed: x, text: ${text(copy)} }`)));
    expect(errorsOf(result)).toEqual([]);
  });

  it('takes as many objects of one kind', () => {
    const objects = (copy: number): string =>
      Array.from({ length: ITEMS / 10 }, (_, index) =>
        widget(`w-${copy}-${index}`, `{ a: ${index}, b: x${copy} }`),
      ).join('---\n');
    const result = extracted(copiesOf(objects));
    expect(errorsOf(result)).toEqual([]);
    expect(result.report?.objects).toBe((3 * ITEMS) / 10);
  });
});

it('takes two hundred copies of a hundred objects', () => {
  const copy = (at: number): string =>
    Array.from({ length: 100 }, (_, index) => configMap(`c${at}-part${index}`, `{ of: "${at}", is: fixed }`)).join(
      '---\n',
    );
  const result = extracted(copiesOf(copy, 200));
  expect(errorsOf(result)).toEqual([]);
  expect(result.report).toMatchObject({ copies: 200, objects: 20_000 });
});
