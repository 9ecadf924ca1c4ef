// Writes a bill of materials. `npm sbom` lists installed packages, has a random serial number and the time, and does
// not know bundles: for it everything here is a development dependency. So the list is written from the bundled
// packages, and is the same in every build.

/** Returns a CycloneDX 1.6 document (https://cyclonedx.org/docs/1.6/json/). An executable has a `runtime` too. */
export function sbomOf({ manifest, packages, data, runtime }) {
  const self = npmUrl(manifest);
  const own = [...packages.map(packageComponent), ...data.map(dataComponent)];
  const platform = runtime === undefined ? [] : [{ ...packageComponent(runtime), type: 'platform' }];
  const linked = runtime?.linked.map(linkedComponent) ?? [];
  const refs = (components) => components.map((component) => component['bom-ref']);
  const components = [...own, ...platform, ...linked];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': self,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: licences(manifest),
        purl: self,
      },
    },
    components,
    dependencies: [
      { ref: self, dependsOn: refs([...own, ...platform]) },
      ...refs(own).map((ref) => ({ ref })),
      ...refs(platform).map((ref) => ({ ref, dependsOn: refs(linked) })),
      ...refs(linked).map((ref) => ({ ref })),
    ],
  };
}

function packageComponent(bundled) {
  const { name, version, integrity } = bundled;
  const purl = npmUrl(bundled);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content: sha512(integrity) }],
    licenses: licences(bundled),
    purl,
  };
}

/** Without a purl: a scanner would report vulnerabilities of programs whose code is not included. */
const dataComponent = (source) => ({
  type: 'data',
  'bom-ref': `data:${source.name}@${source.version}`,
  name: source.name,
  version: source.version,
  description: source.what,
  licenses: licences(source),
  externalReferences: [{ type: 'vcs', url: source.url }],
});

/** A library in the runtime: no registry has it, so it has a URL instead of a purl. */
const linkedComponent = ({ name, version, license, url, what }) => ({
  type: 'library',
  'bom-ref': `linked:${name}@${version}`,
  name,
  version,
  description: what,
  licenses: licences({ license }),
  externalReferences: [{ type: 'vcs', url }],
});

/** https://github.com/package-url/purl-spec: the @ of a scope is escaped. */
const npmUrl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licences = ({ license }) => [
  / (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } },
];

function sha512(integrity) {
  const digest = /^sha512-(\S+)$/.exec(integrity)?.[1];
  if (digest === undefined) throw new Error(`package-lock.json has no SHA-512 but ${integrity}`);
  return Buffer.from(digest, 'base64').toString('hex');
}
