import { describe, expect, it } from 'vitest';
import { EACH, formatSteps, type Read } from '../../../../src/core/model/read.ts';
import { allReads, readsIn } from '../../../../src/languages/cel/analysis/flow.ts';
import { type Flow, parse } from '../../../../src/languages/cel/index.ts';

/**
 * Writes a read as text. `?` marks the part that is optional from there on. `#` at the end: only existence and size are
 * read.
 */
const written = ({ root, path, needed, whole }: Read): string => {
  const text = formatSteps([root, ...path]);
  const sure = formatSteps([root, ...path.slice(0, needed)]);
  return `${text === sure ? text : `${sure}?${text.slice(sure.length)}`}${whole ? '' : '#'}`;
};

function readsOf(source: string, scope: ReadonlyMap<string, Flow> = new Map()): string[] {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  return [...new Set(allReads(readsIn(parsed.expression.root, scope)).map(written))];
}

describe('the reads of an expression', () => {
  it.each([
    ['1 + 2', []],
    ['vpc.status.vpcID', ['vpc.status.vpcID']],
    ['vpc.status["vpcID"]', ['vpc.status.vpcID']],
    ['subnets[0].status.id', ['subnets[0].status.id']],
    ['subnets[schema.spec.n].status.id', ['schema.spec.n', 'subnets[*].status.id']],
    ['vpc.metadata.annotations["a.b/c"]', ['vpc.metadata.annotations["a.b/c"]']],
    ['vpc.metadata.labels.a__dash__b', ['vpc.metadata.labels.a-b']],
    ['svc.status.?ip.orValue(other.data.ip)', ['svc.status?.ip', 'other.data.ip']],
    ['svc.status[?"ip"].value()', ['svc.status?.ip']],
    ['has(svc.status.ip) ? svc.status.ip : "none"', ['svc.status?.ip#', 'svc.status.ip']],
    ['subnets.map(s, s.status.id)', ['subnets[*]#', 'subnets[*].status.id']],
    [
      'subnets.filter(s, s.spec.public).map(s, s.status.id)',
      ['subnets[*]#', 'subnets[*].spec.public', 'subnets[*].status.id'],
    ],
    ['subnets.filter(s, s.spec.public)', ['subnets[*]#', 'subnets[*].spec.public', 'subnets[*]']],
    ['subnets.exists(s, s.status.ready)', ['subnets[*]#', 'subnets[*].status.ready']],
    ['subnets.transformList(i, s, s.status.id)', ['subnets[*]#', 'subnets[*].status.id']],
    [
      'a.status.list.sortBy(x, x.rank).map(x, x.id)',
      ['a.status.list[*]#', 'a.status.list[*].rank', 'a.status.list[*].id'],
    ],
    ['[a, b].map(x, x.status.id)', ['a#', 'b#', 'a.status.id', 'b.status.id']],
    [
      '(a.status.list + b.status.list).map(x, x.id)',
      ['a.status.list[*]#', 'b.status.list[*]#', 'a.status.list[*].id', 'b.status.list[*].id'],
    ],
    ['cel.bind(s, a.status, s.id + s.name)', ['a.status.id', 'a.status.name']],
    ['svc.status.?ip.optMap(i, "x" + i).orValue("y")', ['svc.status?.ip#', 'svc.status?.ip']],
    ['size(a.status.list)', ['a.status.list#', 'a.status.list[*]#']],
    ['a.status.list.first().value()', ['a.status.list?[*]']],
    ['json.marshal(cm)', ['json', 'cm']],
    ['{"id": a.status.id}', ['a.status.id']],
    ['optional.of(a.status.id)', ['a.status.id']],
    ['a.status.m.transformMap(k, v, v.id)', ['a.status.m[*]#', 'a.status.m[*].id']],
  ])('%s', (source, expected) => {
    expect(readsOf(source).sort()).toEqual([...expected].sort());
  });

  it('follow an iterator to the elements of its list', () => {
    const scope = new Map<string, Flow>([
      ['s', { sources: [{ root: 'subnets', path: [EACH], needed: 1, offset: 9 }] }],
    ]);
    expect(readsOf('s.status.id', scope)).toEqual(['subnets[*].status.id']);
  });

  it.each<[string, [string, number][]]>([
    [
      'a.b + size(c.d)',
      [
        ['a.b', 0],
        ['c.d', 11],
      ],
    ],
    [
      '(a.list).map(x, x.id)',
      [
        ['a.list[*]', 1],
        ['a.list[*].id', 16],
      ],
    ],
    ['cel.bind(s, a.status, s.id)', [['a.status.id', 22]]],
    [
      '[a].map(x, .x.y)',
      [
        ['a', 1],
        ['x.y', 12],
      ],
    ],
  ])('have the position of the name that is written: %s', (source, expected) => {
    const parsed = parse(source);
    if (!parsed.ok) throw new Error(parsed.issue.message);
    const reads = allReads(readsIn(parsed.expression.root, new Map()));
    const found = new Map(reads.map(({ root, path, offset }) => [formatSteps([root, ...path]), offset]));
    for (const [path, offset] of expected) expect([path, found.get(path)]).toEqual([path, offset]);
  });
});
