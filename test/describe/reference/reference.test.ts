import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { graphsOf } from '../../../src/describe/graph/index.ts';
import { referencePage } from '../../../src/describe/reference/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: thing}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Thing
    spec:
      size: integer | default=1 minimum=1 description="How *many* <b>|</b> of @them"
      name: string | required=true
      tiers: "[]Tier"
      tags: "map[string]Tier"
    types:
      Tier: {name: "string | required=true"}
    status:
      where: \${map.metadata.name}
  resources:
    - id: map
      includeWhen: ['\${schema.spec.size > 0 || "a|b" != "\`"}']
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.name}"}}
    - id: many
      forEach: [{tier: "\${schema.spec.tiers}"}]
      template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: "\${tier.name}"}}
    - id: given
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: given}}
`;

describe('a reference page', () => {
  it('lists fields, objects and status of an RGD, in valid tables', () => {
    const { own, reports } = graphsOf(
      { objects: readStreams([{ file: 'a', text }], new Collector()) },
      defaultRenderOptions,
    );
    expect(reports).toEqual([]);
    expect(referencePage(own)).toBe(`# Thing

\`kro.run/v1alpha1\`, namespaced, defined by the ResourceGraphDefinition \`thing\`.

## Fields

| field | type | default | allowed | description |
| --- | --- | --- | --- | --- |
| \`size\` | integer | \`1\` | at least 1 | How *many* &lt;b&gt;\\|&lt;/b&gt; of @them |
| \`name\` | string | required |  |  |
| \`tiers\` | list of object |  |  |  |
| \`tiers[].name\` | string | required |  |  |
| \`tags\` | map of object |  |  |  |
| \`tags.*.name\` | string | required |  |  |

## What it renders

| node | objects | when | one for each |
| --- | --- | --- | --- |
| \`map\` | ConfigMap (\`v1\`) | \`\` schema.spec.size > 0 \\|\\| "a\\|b" != "\`" \`\` |  |
| \`many\` | Deployment (\`apps/v1\`) | always | tier of \`schema.spec.tiers\` |
| \`given\` | Secret (\`v1\`), which must be there already | always |  |

## Status

| field | type |
| --- | --- |
| \`where\` | string |
`);
  });

  it('has links between several RGDs, a sample and the graph on request', () => {
    const { own } = graphsOf({ objects: readStreams([{ file: 'a', text }], new Collector()) }, defaultRenderOptions);
    const options = { level: 2, sampleOf: () => 'a: "```"\n', graphOf: () => 'flowchart LR\n' };
    const page = referencePage([...own, ...own], options);
    expect(page).toMatch(/^- \[Thing\]\(#thing\)\n- \[Thing\]\(#thing-1\)\n\n## Thing\n/);
    expect(page).toContain('### Example\n\n````yaml\na: "```"\n````\n');
    expect(page).toContain('### Graph\n\n```mermaid\nflowchart LR\n```\n');
    expect(referencePage(own, options)).toMatch(/^## Thing\n/);
  });

  it('truncates the tables of a page if recursive types fill it', () => {
    const types = Array.from({ length: 13 }, (_, level) => `T${level}: {a: T${level + 1}, b: T${level + 1}}`);
    const rgds = ['One', 'Two', 'Three', 'Four'].map(
      (kind) => `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${kind.toLowerCase()}}
spec:
  schema: {apiVersion: v1alpha1, kind: ${kind}, spec: {x: T0}, types: {${types.join(', ')}, T13: {a: string}}}
  resources: []
`,
    );
    const { own } = graphsOf(
      { objects: readStreams([{ file: 'a', text: rgds.join('') }], new Collector()) },
      defaultRenderOptions,
    );
    const page = referencePage(own);
    const rows = page.match(/^\| `x/gm)?.length;
    expect(rows).toBeGreaterThan(49_900);
    expect(rows).toBeLessThanOrEqual(50_000);
    expect(page.match(/^The page ends at 50000 fields: .*$/gm)).toEqual([
      'The page ends at 50000 fields: `schema Three` prints all of them.',
      'The page ends at 50000 fields: `schema Four` prints all of them.',
    ]);
  });
});
