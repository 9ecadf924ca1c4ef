import { describe, expect, it } from 'vitest';
import { type ExtractReport, extractText } from '../../../src/author/extract/report.ts';
import { configMap, extracted, messagesOf } from './extracting.ts';

const EMPTY: ExtractReport = {
  copies: 2,
  objects: 4,
  fields: [],
  conditions: [],
  collections: 0,
  notGeneralised: [],
  equal: 0,
  lines: { before: 40, after: 30 },
  comments: { kept: 0, dropped: 0 },
  leftOut: {},
  notCompared: {},
};

const lines = (more: Partial<ExtractReport>): string[] => extractText({ ...EMPTY, ...more }).split('\n');

describe('the report for people', () => {
  it('counts the copies, what was found, and the lines', () => {
    expect(extractText(EMPTY)).toBe(
      '2 copies of 2 objects: 0 fields, 0 conditions, 0 collections; every copy renders to its own objects again (4 of 4)\n\nLines: 40 before, 30 after (25 percent less)\n',
    );
    expect(lines({ copies: 1, objects: 1 })[0]).toMatch(/^1 copy of 1 object: /);
    expect(lines({ objects: 5 })[0]).toMatch(/^2 copies with 5 objects: /);
    expect(lines({ copies: 0, objects: 0 })[0]).toMatch(/^0 copies of 0 objects: /);
    expect(lines({ lines: { before: 0, after: 1 } }).at(-2)).toBe('Lines: 0 before, 1 after (0 percent less)');
    expect(lines({ lines: { before: 40, after: 60 } }).at(-2)).toBe('Lines: 40 before, 60 after (50 percent more)');
  });

  it('lists each field with its type, its values, and three of the places that it fills', () => {
    const fields = [
      { name: 'a', written: 'string', description: 'Not printed.', values: 1, fills: ['x.spec.a'] },
      { name: 'long', written: 'integer | default=1', description: '', values: 2, fills: ['1', '2', '3', '4', '5'] },
    ];
    expect(lines({ fields }).slice(0, 7)).toEqual([
      expect.stringContaining(': 2 fields, '),
      '',
      'Fields:',
      '  a     string',
      '        1 value: x.spec.a',
      '  long  integer | default=1',
      '        2 values: 1, 2, 3, and 2 more',
    ]);
    const three = [{ name: 'a', written: 'string', description: 'Not printed.', values: 1, fills: ['1', '2', '3'] }];
    expect(lines({ fields: three })[4]).toBe('     1 value: 1, 2, 3');
  });

  it('lists conditions, what is not generalised, and what is left out', () => {
    const report: Partial<ExtractReport> = {
      conditions: [
        { decides: 'ingress', by: 'has(schema.spec.host)', holds: 1, values: 2 },
        { decides: 'job', by: 'schema.spec.job', holds: 3, values: 2 },
      ],
      collections: 1,
      notGeneralised: [
        { place: 'p', why: 'types' },
        { place: 'q', why: 'optional-parts' },
        { place: 'r', why: 'items' },
        { place: 's', why: 'lines' },
        { place: 't', why: 'size' },
        { place: 'u', why: 'kept' },
      ],
      equal: 3,
      comments: { kept: 2, dropped: 1 },
      leftOut: { Secret: 2, Job: 1 },
      notCompared: { status: 4 },
    };
    expect(
      extractText({ ...EMPTY, ...report }),
    ).toBe(`2 copies of 2 objects: 0 fields, 2 conditions, 1 collection; every copy renders to its own objects again (4 of 4)

Conditions:
  ingress: has(schema.spec.host) (holds once)
  job: schema.spec.job (holds 3 times)

Not generalised:
  p: its parts have values of different types
  q: many of its parts are absent in some copies
  r: its items have no shape in common
  s: most of its lines differ
  t: many of its parts differ
  u: it is to stay as it is

Equal in all copies, and so no fields: 3 values

Comments of the copies in the RGD: 2; 1 of parts that became expressions are not there

Not part of an instance: Secret (2), Job (1)

Not compared, because a server or render-rgd writes it: status (4)

Lines: 40 before, 30 after (25 percent less)
`);
    expect(lines({ comments: { kept: 1, dropped: 0 } })).toContain('Comments of the copies in the RGD: 1');
    expect(lines({ comments: { kept: 0, dropped: 1 } })).toContain(
      'Comments of the copies in the RGD: 0; 1 of parts that became expressions are not there',
    );
  });
});

describe('what is counted', () => {
  const copies = {
    a: configMap('a', '{ x: "1", same: s, also: t }'),
    b: configMap('b', '{ x: "2", same: s, also: t }'),
  };

  it('is the values that are equal, the values of a field, and the lines', () => {
    const { report } = extracted(copies);
    expect(report?.fields).toEqual([
      { name: 'x', written: 'string | required=true', description: '', values: 2, fills: ['configMap.data.x'] },
    ]);
    // apiVersion, kind, same, also.
    expect(report?.equal).toBe(4);
    // Eight of each, and the line between them.
    expect(report?.lines.before).toBe(17);
  });
});

describe('answers', () => {
  const two = {
    a: configMap('a', '{ x: "1", w: "3" }'),
    b: configMap('b', '{ x: "2", w: "4" }'),
    c: configMap('c', '{ x: "2", w: "3" }'),
  };
  const errors = (rename: Record<string, string>): string =>
    messagesOf(extracted(two, { rename }).diagnostics.filter(({ severity }) => severity === 'error')).join();

  it.each([
    [{ x: 'X' }, 'x cannot be renamed to X'],
    [{ x: 'a-b' }, 'x cannot be renamed to a-b'],
    [{ x: 'w' }, 'x cannot be renamed to w'],
    [{ x: 'v', w: 'v' }, 'w cannot be renamed to v'],
    [{ none: 'v' }, 'there is no field none'],
  ])('%j: %s', (rename, expected) => {
    expect(errors(rename as Record<string, string>)).toContain(expected);
  });

  it('rename several fields', () => {
    expect(errors({ x: 'first', w: 'second' })).toBe('');
  });
});
