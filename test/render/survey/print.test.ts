import { describe, expect, it } from 'vitest';
import type { PendingValue } from '../../../src/kubernetes/front-end/index.ts';
import { awaitedText, kubectlCommands } from '../../../src/render/survey/index.ts';

const awaited: PendingValue = {
  instance: { kind: 'App', namespace: 'shop', name: 'main' },
  node: 'subnet',
  field: 'spec.vpcID',
  expression: 'vpc\n  .status.vpcID',
  optional: false,
  object: { apiVersion: 'ec2.example/v1', kind: 'VPC', namespace: 'shop', name: 'main-vpc' },
  path: 'status.vpcID',
};
const core = { apiVersion: 'v1', kind: 'Service', namespace: '', name: 'web' };

describe('the list of pending values', () => {
  it('has each object once, each of its values once, and their readers', () => {
    const unknown = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop' };
    const values = [
      awaited,
      { ...awaited, node: 'x', optional: true, object: unknown, path: '' },
      { ...awaited, node: 'y' },
      { ...awaited, path: 'status.other', expression: '' },
    ];
    expect(awaitedText(values)).toBe(
      `VPC shop/main-vpc
  status.vpcID
    App shop/main node subnet spec.vpcID: vpc .status.vpcID
    App shop/main node y spec.vpcID: vpc .status.vpcID
  status.other
    App shop/main node subnet spec.vpcID
ConfigMap shop/(not known yet)
  (the object) (optional)
    App shop/main node x spec.vpcID: vpc .status.vpcID
`,
    );
  });

  it.each([20, 30, 47, 80, 120])('is at most %i columns wide, without loss', (width) => {
    const long = { ...awaited, expression: `${'a.b.'.repeat(40)}c + "${'x'.repeat(100)}"`, path: 'status.'.repeat(20) };
    const text = awaitedText([awaited, long], width);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    const bare = (all: string): string => all.replace(/\s/g, '');
    expect(bare(text)).toBe(bare(awaitedText([awaited, long])));
  });

  it('names each alternative reference once', () => {
    const alternative = { field: 'spec.vpcRef.from.name', value: '${vpc.metadata.name}' };
    const text = awaitedText([
      { ...awaited, alternative },
      { ...awaited, expression: 'again', alternative },
    ]);
    expect(text.split('\n').filter((line) => line.includes('vpcRef'))).toEqual([
      '  App node subnet: spec.vpcRef.from.name: ${vpc.metadata.name} in place of spec.vpcID',
    ]);
  });

  it('reports that nothing is pending', () => expect(awaitedText([])).toBe('nothing is pending\n'));

  it('escapes control characters', () => {
    expect(awaitedText([{ ...awaited, expression: 'a\u001b[31mb' }])).not.toContain('\u001b');
  });
});

describe('the commands for pending values', () => {
  it('fetch each object once, in separate documents', () => {
    expect(kubectlCommands([awaited, { ...awaited, path: 'status.other' }, { ...awaited, object: core }])).toBe(
      'kubectl get --namespace=shop -o yaml --ignore-not-found -- VPC.v1.ec2.example main-vpc\necho ---\n' +
        'kubectl get -o yaml --ignore-not-found -- Service.v1. web\n',
    );
  });

  it('mention objects with an unknown name', () => {
    const object = { apiVersion: 'v1', kind: 'Service', namespace: 'shop' };
    expect(kubectlCommands([{ ...awaited, object }])).toBe('# a Service.v1. whose name is not known yet\n');
  });
});
