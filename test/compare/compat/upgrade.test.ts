import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import table from '../../../data/kro-rules.json';
import { compareSemantics } from '../../../src/compare/compat/index.ts';
import { Collector, type Report } from '../../../src/core/diagnostics/index.ts';
import { RULES } from '../../../src/kro/semantics.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const options = { ...defaultRenderOptions, namespace: 'default', kro: '0.10' } as const;
const upgrade = (text: string): readonly Report[] => {
  const objects = readStreams([{ file: 'input.yaml', text }], new Collector());
  return compareSemantics({ objects }, options).reports;
};
const changes = (text: string): string[] =>
  upgrade(text)
    .filter(({ code }) => code === 'upgrade-change')
    .map(({ node, message, hint, severity = 'error' }) => `${severity} ${node}: ${message} | ${hint}`);

const folder = fileURLToPath(new URL('../../conformance/kro-0.10', import.meta.url));
const textOf = (name: string): string => readFileSync(join(folder, name, 'input.yaml'), 'utf8');
/** Graphs exist since kro 0.10. */
const cases = readdirSync(folder).filter((name) => !name.includes('-graph-'));

/** What kro 0.10 says differently from 0.9.4, by case; see the about.txt of each. */
const DIFFERENT: Readonly<Record<string, RegExp>> = {
  '001-reserved-id': /rejected.*use another name/s,
  '002-reserved-iterator': /rejected.*use another name/s,
  '012-foreach-empty-then-absent': /'cell' was rendered, and is pending.*\$\{schema\.spec\.\?cols\.orValue\(\[\]\)\}/s,
  '013-empty-collection-fixed-field': /'row' was pending, and is rendered.*\$\{schema\.spec\.\?note\.orValue\(""\)\}/s,
  '134-status-fallback-of-left-out': /status\.num was absent, and is written.*'conf' was pending, and is rendered/s,
  '157-status-empty-list-item': /status\.rows was absent, and is written.*'sum' was pending, and is rendered/s,
  '151-unclosed': /rejected.*write the text as an expression/s,
};

describe('compat --kro 0.10', () => {
  it.each(cases.filter((name) => name in DIFFERENT))('finds what changes in %s', (name) => {
    // Warnings first: of a status, and then of its readers.
    expect(changes(textOf(name)).sort().reverse().join('\n')).toMatch(DIFFERENT[name] as RegExp);
  });

  it('finds nothing in the other cases, and knows all cases that differ', () => {
    expect(cases.filter((name) => !(name in DIFFERENT)).flatMap((name) => changes(textOf(name)))).toEqual([]);
    expect(Object.keys(DIFFERENT).filter((name) => !cases.includes(name))).toEqual([]);
  });

  it('finds nothing in the cases of rules that later code of 0.10 undoes', () => {
    for (const [rule, { cases: numbers, state, source, date }] of Object.entries(table.undone)) {
      expect({ rule, state, source: source.length > 0, date }).toEqual({
        rule,
        state: expect.stringMatching(/^(?:rc|merged)$/),
        source: true,
        date: expect.stringMatching(/^2026-\d\d-\d\d$/),
      });
      for (const number of numbers) {
        const name = readdirSync(folder).find((one) => one.startsWith(`${number}-`)) ?? '';
        expect(readFileSync(join(folder, name, 'about.txt'), 'utf8'), rule).toContain('written by hand');
        if (!cases.includes(name) || name in DIFFERENT) continue;
        expect(changes(textOf(name)), rule).toEqual([]);
      }
    }
  });

  it('marks every rule with what it comes from', () => {
    for (const [rule, { state, date }] of Object.entries(RULES)) {
      expect([rule, state, date]).toEqual([
        rule,
        expect.stringMatching(/^(?:rc|merged)$/),
        expect.stringMatching(/^2026-\d\d-\d\d$/),
      ]);
    }
  });

  it('has a case for every rule', () => {
    const found = Object.keys(DIFFERENT).flatMap((name) => changes(textOf(name)));
    const unseen = Object.values(RULES).filter(({ what }) => !found.some((one) => one.includes(what)));
    expect(unseen).toEqual([]);
  });

  // Both as the judges of 0.9.4 and 0.10 say.
  it('finds a status that only the next release fails to compute', () => {
    const read = (node: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec: {lit: "boolean | default=false"}
    status: {when: '\${string(timestamp(${node}.?data.?at.orValue("never")))}'}
  resources:
  - {id: shown, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: shown}}}
  - id: left
    includeWhen: ["\${schema.spec.lit}"]
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: left}}
---
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: one}
spec: {}
`;
    expect(changes(read('left'))).toEqual([expect.stringMatching(/^error .*status was rendered, and is an error/)]);
    expect(changes(read('shown'))).toEqual([]);
  });

  it('finds no change in a condition that fails in both', () => {
    const text = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {note: string, size: integer}}
  resources:
  - {id: conf, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: "\${schema.spec.note}"}}}
  - id: reader
    includeWhen: ["\${schema.spec.size > 1}"]
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${conf.metadata.name}-r"}}
---
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: one}
spec: {}
`;
    expect(changes(text)).toEqual([]);
  });

  it.each(cases.filter((name) => name in DIFFERENT))('suggests an equal rewrite for %s', (name) => {
    const text = textOf(name);
    for (const { remedies = [], path } of upgrade(text)) {
      const remedy = remedies.find(({ kind }) => kind === 'rewrite');
      const rewrite = remedy?.kind === 'rewrite' ? `\${${remedy.expression}}` : undefined;
      const written = path.includes('forEach') || path.includes('includeWhen') || path.includes('template');
      if (rewrite === undefined || !written) continue;
      const field = /\$\{[^}]*\}/g;
      const plain = (one: string): string => one.replace(/[?'" ]|\.orValue\((?:\[\]|\{\}|0|""|false)\)/g, '');
      const changed = text.replace(field, (one) => (plain(one) === plain(rewrite) ? rewrite : one));
      expect(changed, rewrite).not.toBe(text);
      expect(changes(changed), rewrite).toEqual([]);
    }
  });
});
