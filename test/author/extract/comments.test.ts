import { describe, expect, it } from 'vitest';
import { extracted, renderedFiles } from './extracting.ts';

const LICENCE = '# Copyright of somebody\n';

const copy = (name: string, more = ''): string => `${LICENCE}
# yaml-language-server: $schema=https://example.org/schema.json
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name} # the name
# in another column
spec:
  # one at a time
  strategy: {type: Recreate} # no rolling update
  selector:
    matchLabels: # must not change
      app: x
  template:
    metadata: {labels: {app: x}}
    spec:
      containers:
      # the server
      - name: web
        # from our registry
        image: registry.example.org/${name}:1 # pinned
        args:
        - "# no comment"
        - |
          # no comment either
      ${more}
---
${LICENCE}apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
# at the end
`;

const lines = (text: string | undefined): string[] =>
  (text ?? '').split('\n').flatMap((line) => (/#(?! no comment)/.test(line) ? [line.trim()] : []));

describe('comments of the copies', () => {
  const result = extracted({ one: copy('one'), two: copy('two').replace('pinned', 'another') });

  it('stay where the text of the first copy becomes the template', () => {
    expect(lines(result.files['copy.yaml'])).toEqual([
      '# Copyright of somebody',
      'name: ${schema.metadata.name} # the name',
      '# in another column',
      '# one at a time',
      'strategy: # no rolling update',
      'matchLabels: # must not change',
      '# the server',
      '# from our registry',
      'image: registry.example.org/${schema.metadata.name}:1 # pinned',
    ]);
    expect(result.report?.comments).toEqual({ kept: 7, dropped: 0 });
  });

  it('do not change what the RGD renders', () => {
    expect(renderedFiles(result)).toHaveLength(4);
    expect(JSON.stringify(renderedFiles(result))).toContain('"# no comment","# no comment either\\n"');
  });

  it('are counted where a part became an expression', () => {
    const other = copy('two', 'nodeName: a # here');
    const { report, files } = extracted({ one: copy('one', 'nodeName: b'), two: other, three: copy('three') });
    expect(report?.comments.dropped).toBeGreaterThan(0);
    expect(files['copy.yaml']).toContain('# one at a time');
    expect(files['copy.yaml']).not.toContain('# from our registry');
  });

  it('have no Secret', () => {
    const hidden = '# apiVersion: v1\n# kind: Secret\n# stringData: {password: hunter2}\n';
    const of = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${hidden}data: {a: b}\n`;
    expect(JSON.stringify(extracted({ a: of('a'), b: of('b') }).files)).not.toContain('hunter2');
  });
});
