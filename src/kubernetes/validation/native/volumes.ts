// biome-ignore-all lint/plugin: values of a table
import { phrase } from '../../../core/diagnostics/index.ts';
import { get, type Value } from '../../../core/model/value.ts';
import { claimSpec, metadata } from './metadata.ts';
import { fieldReference, resourceReference } from './references.ts';
import { notNegativeQuantity } from './resources.ts';
import {
  all,
  between,
  each,
  exactlyOne,
  fields,
  isSet,
  itemsAt,
  map,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
  unique,
} from './rule.ts';
import { label, subdomain } from './syntax.ts';

const MODE = between(0n, 0o777n);
const NO_BACKSTEPS = phrase`must not have '..' as a step`;
const hasBacksteps = (path: string): boolean => path.split('/').includes('..');
const withoutBacksteps = text((path) => !hasBacksteps(path), NO_BACKSTEPS);
/** A path below a mount. */
const descending = text(
  (path) => !path.startsWith('/') && !hasBacksteps(path),
  phrase`must be a relative path, and ${NO_BACKSTEPS}`,
);
const notReserved = all(
  descending,
  text((path) => !path.startsWith('..'), phrase`must not start with '..'`),
);

const keyToPath = all(required('key', 'path'), fields({ path: notReserved, mode: MODE }));
const keyed = (...names: readonly string[]): Rule =>
  all(required(...names), fields({ defaultMode: MODE, items: each(keyToPath) }));

const downwardFile = all(
  required('path'),
  exactlyOne('a source (fieldRef or resourceFieldRef)', ['fieldRef', 'resourceFieldRef']),
  fields({
    path: notReserved,
    mode: MODE,
    fieldRef: fieldReference('volume'),
    resourceFieldRef: all(resourceReference, required('containerName')),
  }),
);

const HOST_PATH_TYPES = [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
];

const PROJECTIONS = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

/** A volume without a source is an emptyDir. */
const atMostOne = (sources: readonly string[]): Rule =>
  map((volume, place) => {
    const given = sources.filter((key) => isSet(volume, key));
    for (const key of given.slice(1)) refuse(place, phrase`is a second source`, key);
  });

const projection = all(
  atMostOne(PROJECTIONS),
  fields({
    secret: keyed('name'),
    configMap: keyed('name'),
    downwardAPI: fields({ items: each(downwardFile) }),
    serviceAccountToken: all(
      required('path'),
      fields({ path: notReserved, expirationSeconds: between(600n, 2n ** 32n) }),
    ),
  }),
);

const LISTED = ['secret', 'configMap', 'downwardAPI'];
const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];

/** Rejects a path that two sources of a volume write; the API server does not compare that of a token. */
const distinctPaths: Rule = (sources, place) => {
  if (!Array.isArray(sources)) return;
  const paths = sources.flatMap((source) => [
    ...LISTED.flatMap((key) => itemsAt(get(source, key), 'items').map((item) => textAt(item, 'path'))),
    textAt(get(source, 'clusterTrustBundle'), 'path'),
    ...CERTIFICATE_PATHS.map((key) => textAt(get(source, 'podCertificate'), key)),
  ]);
  const written = paths.filter((path) => path !== '');
  const repeated = written.find((path, index) => written.indexOf(path) !== index);
  if (repeated !== undefined) refuse(place, phrase`writes the path '${repeated}' twice`);
};

const disk = (key: string): Rule => all(required(key), fields({ partition: between(0n, 255n) }));

const server = all(
  required('server', 'path'),
  fields({ path: text((path) => path.startsWith('/'), phrase`must be an absolute path`) }),
);

/** Every source of a volume, with rules for the usual ones. */
const SOURCES: Readonly<Record<string, Rule>> = {
  emptyDir: fields({ sizeLimit: notNegativeQuantity }),
  hostPath: all(required('path'), fields({ path: withoutBacksteps, type: oneOf(...HOST_PATH_TYPES) })),
  gitRepo: all(required('repository'), fields({ directory: descending })),
  gcePersistentDisk: disk('pdName'),
  awsElasticBlockStore: disk('volumeID'),
  secret: keyed('secretName'),
  nfs: server,
  iscsi: required('targetPortal', 'iqn'),
  glusterfs: required('endpoints', 'path'),
  persistentVolumeClaim: required('claimName'),
  rbd: required('monitors', 'image'),
  flexVolume: required('driver'),
  cinder: required('volumeID'),
  cephfs: required('monitors'),
  flocker: () => {},
  downwardAPI: fields({ defaultMode: MODE, items: each(downwardFile) }),
  fc: required('lun'),
  azureFile: required('secretName', 'shareName'),
  configMap: keyed('name'),
  vsphereVolume: required('volumePath'),
  quobyte: required('registry', 'volume'),
  azureDisk: required('diskName', 'diskURI'),
  photonPersistentDisk: required('pdID'),
  projected: fields({ defaultMode: MODE, sources: all(each(projection), distinctPaths) }),
  portworxVolume: required('volumeID'),
  scaleIO: required('gateway', 'system', 'volumeName'),
  storageos: () => {},
  csi: all(required('driver'), fields({ driver: subdomain, nodePublishSecretRef: required('name') })),
  ephemeral: all(
    required('volumeClaimTemplate'),
    fields({ volumeClaimTemplate: all(fields({ metadata, spec: claimSpec }), required('spec')) }),
  ),
  image: () => {},
};

const NAMES = Object.keys(SOURCES);

export const volumes = all(
  each(all(required('name'), atMostOne(NAMES), fields({ ...SOURCES, name: label }))),
  unique((volume) => textAt(volume, 'name') || undefined, 'name'),
);

interface Mounts {
  /** The names of the volumes of the pod. */
  names: ReadonlySet<string>;
}

export const volumeMounts = ({ names }: Mounts): Rule =>
  all(
    each(
      all(
        required('name', 'mountPath'),
        map((mount, place) => {
          const name = textAt(mount, 'name');
          if (name !== '' && !names.has(name)) refuse(place, phrase`is not a volume of this pod`, 'name');
          if (textAt(mount, 'subPath') !== '' && textAt(mount, 'subPathExpr') !== '')
            refuse(place, phrase`must not be set together with subPath`, 'subPathExpr');
        }),
        fields({ subPath: descending, subPathExpr: descending }),
        recursiveReadOnly,
      ),
    ),
    unique((mount) => textAt(mount, 'mountPath') || undefined, 'mountPath'),
  );

const recursiveReadOnly = map((mount, place) => {
  const wish = textAt(mount, 'recursiveReadOnly');
  if (wish === '' || wish === 'Disabled') return;
  if (mount.readOnly !== true) refuse(place, phrase`may only be set if readOnly is true`, 'recursiveReadOnly');
  const propagation = textAt(mount, 'mountPropagation');
  if (propagation !== '' && propagation !== 'None')
    refuse(place, phrase`may only be set if mountPropagation is None`, 'recursiveReadOnly');
});

export const volumeDevices = ({ volumes: all_ }: { volumes: ReadonlyMap<string, Value> }): Rule =>
  all(
    each(
      all(
        required('name', 'devicePath'),
        map((device, place) => {
          const name = textAt(device, 'name');
          if (name === '') return;
          const volume = all_.get(name);
          if (volume === undefined) refuse(place, phrase`is not a volume of this pod`, 'name');
          else if (!isSet(volume, 'persistentVolumeClaim') && !isSet(volume, 'ephemeral'))
            refuse(place, phrase`must be a volume of a PersistentVolumeClaim`, 'name');
        }),
        fields({ devicePath: withoutBacksteps }),
      ),
    ),
    unique((device) => textAt(device, 'devicePath') || undefined, 'devicePath'),
    unique((device) => textAt(device, 'name') || undefined, 'name'),
  );
