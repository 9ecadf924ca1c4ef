import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/diagnostics/index.ts';
import { graphsOf } from '../../src/graph/index.ts';
import { defaultRenderOptions } from '../../src/model/render.ts';
import { readStreams } from '../../src/parse/index.ts';
import { referencePage } from '../../src/reference/index.ts';

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

describe('a reference', () => {
  it('tells fields, objects and status of an RGD, and keeps to its table', () => {
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
| \`size\` | integer | \`1\` | at least 1 | How &#42;many&#42; &#60;b&#62;&#124;&#60;/b&#62; of &#64;them |
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
});
