import { describe, expect, it } from 'vitest';
import { acceptedValues } from '../../../src/kubernetes/validation/index.ts';

describe('the values that an API server accepts in a field', () => {
  it('are those of the rules of its kind, also inside lists and parts that kinds share', () => {
    expect(acceptedValues('/PersistentVolumeClaim', ['spec', 'accessModes', 0])).toContain('ReadWriteOnce');
    const name = ['spec', 'template', 'spec', 'os', 'name'];
    expect(acceptedValues('apps/Deployment', name)).toEqual(['linux', 'windows']);
    expect(acceptedValues('networking.k8s.io/NetworkPolicy', ['spec', 'policyTypes', 0])).toEqual([
      'Ingress',
      'Egress',
    ]);
    const reason = ['spec', 'validations', 0, 'reason'];
    expect(acceptedValues('admissionregistration.k8s.io/ValidatingAdmissionPolicy', reason)).toContain('Forbidden');
  });

  it('are none where the rules name none, or only under a condition', () => {
    expect(acceptedValues('apps/Deployment', ['spec', 'replicas'])).toEqual([]);
    expect(acceptedValues('example.com/Shop', ['spec', 'size'])).toEqual([]);
    expect(acceptedValues('/PersistentVolumeClaim', ['spec', 'accessModes'])).toEqual([]);
  });
});
