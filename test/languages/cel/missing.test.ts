import { describe, expect, it } from 'vitest';
import { check, createBudget, EvaluationError, kroEnvironment, parse, plan } from '../../../src/languages/cel/index.ts';
import { DYN } from '../../../src/languages/cel/types.ts';
import type { CelValue } from '../../../src/languages/cel/value/values.ts';

const VALUES: Readonly<Record<string, CelValue | undefined>> = {
  svc: { spec: { ports: [{ name: 'web' }] }, '5': 'five' },
  key: 'wanted',
  later: undefined,
};

/** Returns the error of a failing expression. */
function failureOf(source: string): EvaluationError {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(parsed.issue.message);
  const names = Object.keys(VALUES);
  const checked = check(kroEnvironment(), parsed.expression, new Map(names.map((name) => [name, DYN])));
  if (!checked.ok) throw new Error(checked.issues[0]?.message);
  const program = plan(kroEnvironment(), checked.checked, names);
  try {
    program.run(Object.values(VALUES), createBudget());
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
  throw new Error(`${source} has a value`);
}

const svc = VALUES.svc as { spec: { ports: CelValue } };
const { spec } = svc;

describe('an error names the missing value', () => {
  it.each<[string, object, object]>([
    ['svc.status.ip', { what: 'key', key: 'status', on: svc }, { variable: 'svc', path: ['status'] }],
    ['.svc.status.ip', { what: 'key', key: 'status', on: svc }, { variable: 'svc', path: ['status'] }],
    ['svc.spec["type"]', { what: 'key', key: 'type', on: spec }, { variable: 'svc', path: ['spec', 'type'] }],
    [
      'svc.spec.ports[1].name',
      { what: 'element', key: 1n, on: spec.ports },
      { variable: 'svc', path: ['spec', 'ports', 1] },
    ],
    [
      'svc.spec.ports[0].port',
      { what: 'key', key: 'port', on: { name: 'web' } },
      { variable: 'svc', path: ['spec', 'ports', 0, 'port'] },
    ],
    ['later.status', { what: 'variable', key: 'later' }, { variable: 'later', path: [] }],
  ])('%s', (source, reason, read) => {
    const error = failureOf(source);
    expect(error.reason).toEqual({ kind: 'missing', ...reason });
    expect(error.read).toEqual(read);
  });

  it('and the computed part of the path', () => {
    expect(failureOf('svc.spec[key]').read).toEqual({ variable: undefined, path: [] });
    expect(failureOf('svc.spec[key].more').read).toEqual({ variable: undefined, path: [] });
    expect(failureOf('[svc][0].status.ip').read).toEqual({ variable: undefined, path: [0, 'status'] });
    expect(failureOf('[svc].map(svc, svc.status.ip)').read).toEqual({ variable: undefined, path: ['status'] });
    expect(failureOf('[1].map(i, .svc.status.ip)').read).toEqual({ variable: 'svc', path: ['status'] });
  });

  it('unless something else failed', () => {
    const error = failureOf('1 / int(size(key) - 6)');
    expect(error.reason).toEqual({ kind: 'failure', isFixed: true });
    expect(error.read).toBeUndefined();
  });
});
