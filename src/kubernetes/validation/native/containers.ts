import { phrase } from '../../../core/diagnostics/index.ts';
import { get, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { fieldReference, resourceReference } from './references.ts';
import { resources } from './resources.ts';
import {
  all,
  atLeast,
  between,
  each,
  exactlyOne,
  fields,
  isSet,
  itemsAt,
  map,
  missing,
  notNegative,
  oneOf,
  type Rule,
  refuse,
  required,
  textAt,
  unique,
} from './rule.ts';
import { configKey, envName, headerName, label, port, portName, portOrName, subdomain } from './syntax.ts';
import { volumeDevices, volumeMounts } from './volumes.ts';

/** The context of the rules of a container: its pod. */
export interface ResourceSetContext {
  volumes: ReadonlyMap<string, Value>;
  gracePeriod: bigint;
  restartPolicy: string;
  hostNetwork: boolean;
  /** The pod has its own user namespace. */
  ownUsers: boolean;
  /** The names of its resourceClaims. */
  claims: ReadonlySet<string>;
}

const ports = all(
  each(
    all(
      map((value, place) => {
        if (value.containerPort === 0n) missing(place, phrase`must be from 1 to 65535`, 'containerPort');
      }),
      fields({ name: portName, containerPort: between(0n, 65535n), hostPort: between(0n, 65535n) }),
    ),
  ),
  unique((one) => textAt(one, 'name') || undefined, 'name'),
);

const keyReference = all(required('name', 'key'), fields({ key: configKey }));
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

const environmentVariable = all(
  required('name'),
  map((one, place) => {
    if (isSet(one, 'valueFrom') && textAt(one, 'value') !== '')
      refuse(place, phrase`must not be set together with value`, 'valueFrom');
  }),
  fields({
    name: envName,
    valueFrom: all(
      exactlyOne('a source', SOURCES),
      fields({
        fieldRef: fieldReference('env'),
        resourceFieldRef: resourceReference,
        configMapKeyRef: keyReference,
        secretKeyRef: keyReference,
        fileKeyRef: required('key', 'volumeName', 'path'),
      }),
    ),
  }),
);

const named = all(required('name'), fields({ name: subdomain }));

const environmentSource = all(
  exactlyOne('a source (configMapRef or secretRef)', ['configMapRef', 'secretRef']),
  fields({ prefix: envName, configMapRef: named, secretRef: named }),
);

const HANDLERS: Readonly<Record<string, Rule>> = {
  exec: required('command'),
  httpGet: all(
    required('port'),
    fields({ port: portOrName, httpHeaders: each(all(required('name'), fields({ name: headerName }))) }),
  ),
  tcpSocket: all(required('port'), fields({ port: portOrName })),
  grpc: all(required('port'), fields({ port })),
};

const handler = (names: readonly string[]): Rule => all(exactlyOne('a handler', names), fields(HANDLERS));

const probe = (isReadiness: boolean): Rule =>
  all(
    handler(['exec', 'httpGet', 'tcpSocket', 'grpc']),
    fields({
      initialDelaySeconds: notNegative,
      timeoutSeconds: notNegative,
      periodSeconds: notNegative,
      successThreshold: isReadiness ? notNegative : between(0n, 1n),
      failureThreshold: notNegative,
      terminationGracePeriodSeconds: atLeast(1n),
    }),
    map((value, place) => {
      if (isReadiness && isSet(value, 'terminationGracePeriodSeconds'))
        refuse(place, phrase`must not be set for a readinessProbe`, 'terminationGracePeriodSeconds');
    }),
  );

const lifecycleHandler = handler(['exec', 'httpGet', 'tcpSocket', 'sleep']);
const lifecycle = (gracePeriod: bigint): Rule => {
  const one = all(lifecycleHandler, fields({ sleep: fields({ seconds: between(0n, gracePeriod) }) }));
  return fields({ preStop: one, postStart: one });
};

const ID = between(0n, 2n ** 31n - 1n);
const seccomp: Rule = map((profile, place) => {
  const isLocal = textAt(profile, 'type') === 'Localhost';
  if (textAt(profile, 'type') === '') missing(place, phrase`is required`, 'type');
  if (isLocal && !isSet(profile, 'localhostProfile'))
    missing(place, phrase`is required if the type is Localhost`, 'localhostProfile');
  if (!isLocal && isSet(profile, 'localhostProfile'))
    refuse(place, phrase`may only be set if the type is Localhost`, 'localhostProfile');
});
export const identity = { runAsUser: ID, runAsGroup: ID, seccompProfile: seccomp, appArmorProfile: seccomp };

const securityContext = all(
  fields(identity),
  map((context, place) => {
    if (context.allowPrivilegeEscalation !== false) return;
    if (context.privileged === true)
      refuse(place, phrase`must not be false if privileged is true`, 'allowPrivilegeEscalation');
    if (itemsAt(context.capabilities, 'add').includes('CAP_SYS_ADMIN'))
      refuse(place, phrase`must not be false if CAP_SYS_ADMIN is added`, 'allowPrivilegeEscalation');
  }),
);

const first = { name: label, ports, env: each(environmentVariable), envFrom: each(environmentSource) };
const last = {
  resources,
  securityContext,
  resizePolicy: all(
    each(
      all(
        required('resourceName', 'restartPolicy'),
        fields({ resourceName: oneOf('cpu', 'memory'), restartPolicy: oneOf('NotRequired', 'RestartContainer') }),
      ),
    ),
    unique((one) => textAt(one, 'resourceName') || undefined, 'resourceName'),
  ),
};

/** pkg/apis/core/validation, validateContainerCommon. */
const common = ({ volumes, hostNetwork, ownUsers, claims }: ResourceSetContext): Rule =>
  all(
    required('name', 'image'),
    fields({
      ...first,
      volumeMounts: volumeMounts({ names: new Set(volumes.keys()) }),
      volumeDevices: volumeDevices({ volumes }),
      ...last,
    }),
    map((container, place) => {
      if (hostNetwork) checkHostPorts(container, place);
      if (!ownUsers && textAt(container.securityContext, 'procMount') === 'Unmasked') {
        refuse(place, phrase`may only be 'Unmasked' where hostUsers is false`, 'securityContext', 'procMount');
      }
      for (const [index, claim] of itemsAt(container.resources, 'claims').entries()) {
        if (!claims.has(textAt(claim, 'name')))
          refuse(place, phrase`must be one of resourceClaims`, 'resources', 'claims', index, 'name');
      }
      const names = new Set(itemsAt(container, 'volumeDevices').map((one) => textAt(one, 'name')));
      for (const [index, mount] of itemsAt(container, 'volumeMounts').entries()) {
        if (names.has(textAt(mount, 'name')))
          refuse(place, phrase`must not be in volumeDevices too`, 'volumeMounts', index, 'name');
        const isShared = textAt(mount, 'mountPropagation') === 'Bidirectional';
        if (isShared && get(container.securityContext, 'privileged') !== true) {
          refuse(
            place,
            phrase`may only be Bidirectional for a privileged container`,
            'volumeMounts',
            index,
            'mountPropagation',
          );
        }
      }
    }),
  );

function checkHostPorts(container: ValueMap, place: Parameters<Rule>[1]): void {
  for (const [index, one] of itemsAt(container, 'ports').entries()) {
    const hostPort = get(one, 'hostPort');
    if (hostPort !== undefined && hostPort !== 0n && hostPort !== get(one, 'containerPort')) {
      refuse(place, phrase`must be equal to containerPort if hostNetwork is true`, 'ports', index, 'hostPort');
    }
  }
}

const probes = {
  livenessProbe: probe(false),
  startupProbe: probe(false),
  readinessProbe: all(probe(true)),
};

const restartRules: Rule = map((container, place) => {
  const rules = itemsAt(container, 'restartPolicyRules');
  if (rules.length > 0 && textAt(container, 'restartPolicy') === '')
    missing(place, phrase`is required with restartPolicyRules`, 'restartPolicy');
  if (isSet(container, 'restartPolicy'))
    fields({ restartPolicy: oneOf('Always', 'Never', 'OnFailure') })(container, place);
  for (const [index, rule] of rules.entries()) {
    const codes = get(rule, 'exitCodes');
    if (!isMap(codes)) missing(place, phrase`is required`, 'restartPolicyRules', index, 'exitCodes');
    else if (itemsAt(codes, 'values').length === 0)
      missing(place, phrase`must have at least 1 item`, 'restartPolicyRules', index, 'exitCodes', 'values');
  }
});

export const containers = (around: ResourceSetContext): Rule => {
  const one = all(common(around), restartRules, fields({ ...probes, lifecycle: lifecycle(around.gracePeriod) }));
  return all(
    each(one),
    unique((container) => textAt(container, 'name') || undefined, 'name'),
    hostPorts,
  );
};

/** Init containers run one after the other, except for those that restart always. */
export const initContainers = (around: ResourceSetContext): Rule => {
  const sidecar = fields({ ...probes, lifecycle: lifecycle(around.gracePeriod) });
  const shared = all(common(around), restartRules);
  return all(
    each((container, place) => {
      shared(container, place);
      if (textAt(container, 'restartPolicy') === 'Always') {
        sidecar(container, place);
        return;
      }
      for (const key of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
        if (isSet(container, key))
          refuse(place, phrase`may only be set for an init container whose restartPolicy is 'Always'`, key);
      }
    }),
    unique((container) => textAt(container, 'name') || undefined, 'name'),
  );
};

/** Two ports of a pod cannot share a port of its node. */
const hostPorts: Rule = (value, place) => {
  const seen = new Set<string>();
  for (const [index, container] of (Array.isArray(value) ? value : []).entries()) {
    for (const [at, one] of itemsAt(container, 'ports').entries()) {
      const number = get(one, 'hostPort');
      if (typeof number !== 'bigint' || number === 0n) continue;
      const key = `${textAt(one, 'protocol') || 'TCP'}/${textAt(one, 'hostIP')}/${number}`;
      if (seen.has(key))
        refuse(place, phrase`is already the port of another container`, index, 'ports', at, 'hostPort');
      seen.add(key);
    }
  }
};
