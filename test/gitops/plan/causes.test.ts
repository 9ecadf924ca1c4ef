import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/api/tools/index.ts';
import { instance, planOf, WEB } from './repository.ts';

const repository = { 'platform/web.yaml': WEB, 'apps/a/web.yaml': instance('a') };

/** The causes of the changes, and whether each is an RGD. */
const causesOf = (rgd: string, own: string): { text: string; isRgd: boolean }[] =>
  planOf(repository, { 'platform/web.yaml': rgd, 'apps/a/web.yaml': own }).groups.map(({ cause }) => ({
    text: cause.text,
    isRgd: cause.isRgd,
  }));

const INSTANCE = [{ text: expect.stringContaining('a'), isRgd: false }];
const RGD = [{ text: expect.stringContaining('RGD web (platform/web.yaml:'), isRgd: true }];

const annotated = WEB.replace('{ name: web }', '{ name: web, annotations: { owner: b } }');
const withNode = `${WEB}    - id: more\n      template: { apiVersion: v1, kind: Secret, metadata: { name: "\${schema.metadata.name}-s" } }\n`;
const withField = WEB.replace('      title: string', '      size: integer | default=1\n      title: string');
const changed = instance('a', '{ title: Mine }');

describe('the cause of a change', () => {
  it.each([
    ['an annotation of the RGD', annotated],
    ['another field of its schema', withField],
  ])('is the instance if only %s differs besides', (_, rgd) => {
    expect(causesOf(rgd, changed)).toEqual(INSTANCE);
    // `explain` names the instance as the origin of the field.
    const objects = [
      { file: 'rgd.yaml', text: rgd },
      { file: 'a.yaml', text: changed },
    ];
    const { explanation } = explain({ objects }, { object: 'ConfigMap/web/a', field: '.data.title' });
    expect(JSON.stringify(explanation)).toContain('"from":"instance"');
  });

  it('is the instance for a field of another node than the one that differs', () => {
    const groups = causesOf(withNode, changed);
    expect(groups.find(({ isRgd }) => !isRgd)).toEqual(INSTANCE[0]);
  });

  it.each([
    ['the default that the field reads', WEB.replace('default=Hello', 'default=Hi')],
    ['its template', WEB.replace('title: ${schema.spec.title}', 'title: "${schema.spec.title}!"')],
    ['the name of the RGD', WEB.replace('{ name: web }', '{ name: site }')],
  ])('is the RGD if %s differs', (_, rgd) => {
    const [cause] = causesOf(rgd, instance('a'));
    expect(cause?.isRgd).toBe(true);
  });

  it('is the RGD if it has a new node, or a condition that differs', () => {
    expect(causesOf(withNode, instance('a'))).toEqual(RGD);
    const off = withNode.replace(
      '    - id: page\n',
      '    - id: page\n      includeWhen: ["${schema.spec.title == \'x\'}"]\n',
    );
    const before = { ...repository, 'platform/web.yaml': withNode };
    const { groups } = planOf(before, { ...before, 'platform/web.yaml': off });
    expect(groups.map(({ cause, change }) => ({ change, isRgd: cause.isRgd }))).toEqual([
      { change: 'removed', isRgd: true },
    ]);
  });
});
