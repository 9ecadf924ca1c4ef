import { describe, expect, it } from 'vitest';
import { type ValidateRule, validate } from '../../../src/api/index.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema:
    apiVersion: v1
    kind: Site
    spec:
      title: string COMMENT
      other: string
  resources: []
`;

const found = (comment: string, rules: readonly ValidateRule[] = []): string[] =>
  validate({ objects: [{ file: 'apps/a.yaml', text: RGD.replace('COMMENT', comment) }] }, { rules }).diagnostics.map(
    ({ severity, code, line, message }) =>
      `${line} ${severity} ${code}${code.startsWith('lint') ? '' : `: ${message}`}`,
  );
const OTHER = '10 warning lint-unread-field';

describe('an ignore comment', () => {
  it('ignores a diagnostic of its line', () => {
    expect(found('# render-rgd: ignore lint-unread-field the portal reads it')).toEqual([OTHER]);
  });

  it('on a line of its own ignores a diagnostic of the next line', () => {
    const comment = '\n      # render-rgd: ignore lint-unread-field the portal reads it';
    expect(found(comment)).toEqual(['9 warning lint-unread-field']);
  });

  it.each([
    ['# render-rgd: ignore', 'the comment names no code and no reason'],
    ['# render-rgd: ignore lint-unread-field', 'the comment gives no reason'],
    ['#render-rgd:ignore lint-unread-fields x', "unknown code 'lint-unread-fields'"],
  ])('is an error without a known code and a reason: %s', (comment, message) => {
    expect(found(comment)).toEqual(['9 warning lint-unread-field', OTHER, `9 error ignore-comment: ${message}`]);
  });

  it('that ignores nothing is a warning', () => {
    expect(found('# render-rgd: ignore lint-null-value it is wanted').at(-1)).toBe(
      '9 warning ignore-unused: there is no lint-null-value to ignore',
    );
  });

  it('counts as used while something else fails, because not all checks run', () => {
    const text = RGD.replace('string COMMENT', 'strin # render-rgd: ignore lint-null-value it is wanted');
    const { diagnostics } = validate({ objects: [{ file: 'a.yaml', text }] });
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-type']);
  });

  it('cannot ignore an error that fails rendering', () => {
    const text = RGD.replace('string COMMENT', 'strin # render-rgd: ignore unknown-type it is not');
    const { diagnostics } = validate({ objects: [{ file: 'a.yaml', text }] });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toMatchObject([
      expect.stringContaining('unknown-type '),
      'ignore-unused unknown-type cannot be ignored: rendering fails',
    ]);
  });

  it('of another tool is ignored', () => {
    expect(found('# render-rgd: ignored-elsewhere')).toEqual(['9 warning lint-unread-field', OTHER]);
  });
});

describe('a rule of render-rgd.yaml', () => {
  const rule = { code: 'lint-unread-field', severity: 'off', reason: 'generated' } as const;

  it('disables a code, or all codes with a prefix', () => {
    expect(found('', [rule])).toEqual([]);
    expect(found('', [{ ...rule, code: 'lint-*' }])).toEqual([]);
  });

  it('changes a severity', () => {
    expect(found('', [{ ...rule, severity: 'error' }])).toEqual([
      '9 error lint-unread-field',
      '10 error lint-unread-field',
    ]);
  });

  it('applies to the files that its globs match, and the last rule wins', () => {
    expect(found('', [{ ...rule, paths: ['vendor/**'] }])).toHaveLength(2);
    expect(found('', [{ ...rule, paths: ['apps/*.yaml'] }])).toEqual([]);
    expect(found('', [rule, { ...rule, severity: 'info' }])).toEqual([
      '9 info lint-unread-field',
      '10 info lint-unread-field',
    ]);
  });

  it('cannot lower an error that fails rendering', () => {
    const text = RGD.replace('string COMMENT', 'strin');
    const rules = [{ code: 'unknown-type', severity: 'off', reason: 'x' } as const];
    expect(validate({ objects: [{ file: 'a.yaml', text }] }, { rules }).diagnostics).toMatchObject([
      { code: 'unknown-type', severity: 'error' },
    ]);
  });

  it.each([
    [{ ...rule, reason: ' ' }, 'must have a reason'],
    [{ ...rule, code: 'lint-unread' }, "unknown code 'lint-unread'"],
    [{ ...rule, severity: 'none' }, 'must be one of off, info, warning, error'],
    [{ ...rule, path: ['a'] }, "unknown field 'path'"],
  ])('that is invalid is an error: %j', (wrong, message) => {
    const { diagnostics } = validate({ objects: [] }, { rules: [wrong as unknown as ValidateRule] });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'library-option', message }));
  });
});
