import { describe, expect, it } from 'vitest';
import { type ObjectSource, render } from '../../../src/api/index.ts';

const rgd = (name: string, kind: string, group?: string): ObjectSource =>
  ({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name },
    spec: { schema: { apiVersion: 'v1', kind, group, spec: {} }, resources: [] },
  }) as ObjectSource;
const object = (apiVersion: string, kind: string, metadata: object = {}): ObjectSource =>
  ({ apiVersion, kind, metadata: { name: 'one', namespace: 'n', ...metadata } }) as ObjectSource;
const crd = (kind: string, group: string): ObjectSource =>
  ({
    ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }) as unknown as ObjectSource;

const platform = [rgd('web', 'WebShop', 'platform.acme.com'), rgd('app', 'App')];
/** A package with an instance, so that something renders in any case. */
const whole = [...platform, object('kro.run/v1', 'App')];

function found(...objects: readonly ObjectSource[]): string[] {
  const { diagnostics } = render({ objects: [...whole, ...objects] }, { strict: true });
  return diagnostics.map(({ severity, code, field, hint }) => `${severity} ${code} ${field}: ${hint?.split('?')[0]}`);
}

describe('an object with a typing error in its group, version or kind', () => {
  it.each([
    // As kro's own overview page shows it.
    ['v1', 'WebShop', "error undefined-kind apiVersion: did you mean 'platform.acme.com/v1'"],
    ['v1alpha1', 'App', "error undefined-kind apiVersion: did you mean 'kro.run/v1'"],
    ['platfrm.acme.com/v1', 'WebShop', "error undefined-kind apiVersion: did you mean 'platform.acme.com/v1'"],
    ['acme.com/v1', 'WebShop', "error undefined-kind apiVersion: did you mean 'platform.acme.com/v1'"],
    ['kro.run/v1', 'WebShop', "error undefined-kind apiVersion: did you mean 'platform.acme.com/v1'"],
    ['platform.acme.com', 'WebShop', "error undefined-kind apiVersion: did you mean 'platform.acme.com/v1'"],
    ['Platform.acme.com/v1', 'WebShop', "error undefined-kind apiVersion: did you mean 'platform.acme.com/v1'"],
    ['platform.acme.com/v1', 'WebShopper', "error undefined-kind kind: did you mean 'WebShop'"],
    ['platform.acme.com/v1', 'Shop', "error undefined-kind kind: did you mean 'WebShop'"],
    ['platform.acme.com/v1', 'WebSites', "error undefined-kind kind: did you mean 'WebShop'"],
    [
      'platform.acme.com/v1',
      'Database',
      'warning undefined-kind kind: add its RGD to the input, or name its folder with --definitions; if it is something else, add its CustomResourceDefinition',
    ],
    ['platform.acme.com/v1', 'Webshop', "error undefined-kind kind: did you mean 'WebShop'"],
    ['platform.acme.com/v1', 'WebShops', "error undefined-kind kind: did you mean 'WebShop'"],
    ['platfrm.acme.com/v1', 'WebShp', "error undefined-kind kind: did you mean 'WebShop'"],
    ['platform.acme.com/v2', 'WebShop', "error version-not-served apiVersion: did you mean 'platform.acme.com/v1'"],
    [
      'kro.run/v1',
      'Other',
      'error undefined-kind kind: add its RGD to the input, or name its folder with --definitions; for a controller in the cluster, annotate the object with render-rgd.dev/mode: passthrough',
    ],
    ['corp.example/v1alpha1', 'App', "warning undefined-kind apiVersion: did you mean 'kro.run/v1'"],
    ['kro.run/v1beta1', 'ResourceGraphDefinition', "error rgd-not-known apiVersion: did you mean 'kro.run/v1alpha1'"],
    ['v1alpha1', 'ResourceGraphDefinition', "error rgd-not-known apiVersion: did you mean 'kro.run/v1alpha1'"],
    ['kr.run/v1alpha1', 'ResourceGraphDefinition', "error rgd-not-known apiVersion: did you mean 'kro.run/v1alpha1'"],
    ['kro.run/v1alpha1', 'ResourceGraphDefintion', "error rgd-not-known kind: did you mean 'ResourceGraphDefinition'"],
    ...(
      [
        ['fluxcd.controlplan.io/v1', 'ResourceSet', "apiVersion: did you mean 'fluxcd.controlplane.io/v1'"],
        ['controlplane.io/v1', 'ResourceSet', "apiVersion: did you mean 'fluxcd.controlplane.io/v1'"],
        ['v1', 'ResourceSetInputProvider', "apiVersion: did you mean 'fluxcd.controlplane.io/v1'"],
        ['fluxcd.controlplane.io/v1', 'ResourceSets', "kind: did you mean 'ResourceSet'"],
        ['fluxcd.controlplane.io/v1', 'Resourceset', "kind: did you mean 'ResourceSet'"],
        ['fluxcd.controlplane.io/v1', 'ResourceSetInputProvder', "kind: did you mean 'ResourceSetInputProvider'"],
      ] as const
    ).map(([apiVersion, kind, told]): [string, string, string] => [
      apiVersion,
      kind,
      `error resourceset-not-known ${told}`,
    ]),
  ])('%s %s', (apiVersion, kind, expected) => {
    expect(found(object(apiVersion, kind))).toEqual([expected]);
  });

  it('of a kind that is probably something else is reported once', () => {
    const more = [object('corp.example/v1', 'App'), object('corp.example/v1', 'App', { name: 'two' })];
    expect(found(...more)).toHaveLength(1);
  });
});

describe('a correct object causes no suggestion', () => {
  it.each([
    ['of a kind of Argo CD', [object('argoproj.io/v1alpha1', 'App')]],
    ['of a kind of a project below its domain', [object('acme.cert-manager.io/v1', 'WebShop')]],
    [
      'of another kind of a group, that a CRD describes',
      [crd('Database', 'platform.acme.com'), object('platform.acme.com/v1', 'Database')],
    ],
    ['of a kind of Kubernetes', [rgd('s', 'Service'), object('v1', 'Service')]],
    [
      'of a kind that a CRD describes',
      [crd('WebShops', 'platform.acme.com'), object('platform.acme.com/v1', 'WebShops')],
    ],
    ['of the kind of an RGD and the group of a CRD', [crd('App', 'argoproj.io'), object('argoproj.io/v1', 'App')]],
    ['in another version than its CRD has', [crd('App', 'argoproj.io'), object('argoproj.io/v2', 'App')]],
    ['of another kind of the Flux operator', [object('fluxcd.controlplane.io/v1', 'FluxInstance')]],
    ['left to a controller', [object('kro.run/v1', 'Apps', { annotations: { 'render-rgd.dev/mode': 'passthrough' } })]],
    [
      'an RGD of another version, left to a controller',
      [object('kro.run/v1beta1', 'ResourceGraphDefinition', { annotations: { 'render-rgd.dev/mode': 'passthrough' } })],
    ],
  ])('%s', (_, objects) => expect(found(...objects)).toEqual([]));

  it("but an error with strict, of the name of a ResourceSet in a stranger's group", () => {
    expect(found(object('acme.com/v1', 'ResourceSet'))).toEqual([
      expect.stringMatching(/^error undefined-kind kind: add/),
    ]);
    expect(render({ objects: [...whole, object('acme.com/v1', 'ResourceSet')] }).diagnostics).toEqual([]);
  });
});

it('definitions of another version are suggested too', () => {
  const definitions = [{ ...rgd('later', 'Later'), apiVersion: 'kro.run/v1beta1' }];
  const { diagnostics } = render({ objects: whole, definitions });
  expect(diagnostics.map(({ code }) => code)).toEqual(['rgd-not-known']);
});

describe('RGDs without any instance', () => {
  it('cause a warning that names the kinds that they define', () => {
    const { diagnostics } = render({ objects: [...platform, object('v1', 'Service')] }, { all: true });
    expect(diagnostics.map(({ severity, code, message }) => [severity, code, message])).toEqual([
      [
        'warning',
        'no-instances',
        'nothing is rendered: no instance of the RGDs found (WebShop.platform.acme.com, App.kro.run)',
      ],
    ]);
  });

  it('in --definitions cause a warning too', () => {
    const { diagnostics } = render({ objects: [object('v1', 'Service')], definitions: platform });
    expect(diagnostics.map(({ code }) => code)).toEqual(['no-instances']);
  });
});
