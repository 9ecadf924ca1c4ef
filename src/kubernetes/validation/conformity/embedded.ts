import { phrase, phraseIf, shown } from '../../../core/diagnostics/index.ts';
import { labelKeyFault, labelValueFault, namespaceFault } from '../../../core/model/names.ts';
import { isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { memberSchema, objectMetaSchema, type Schema } from '../../schema/index.ts';
import { ownerFault } from '../owner.ts';
import { withoutNulls } from './decode.ts';
import { visit } from './values.ts';
import { add, at, isFull, type Walk } from './walk.ts';

/** Checks embedded objects (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta, Coerce and Validate). */
export function checkEmbedded(schema: Schema | undefined, value: Value, walk: Walk): void {
  if (schema === undefined || isFull(walk)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) at(walk, index, () => checkEmbedded(schema.items, item, walk));
    return;
  }
  if (!isMap(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) checkResource(value, walk);
  for (const key of Object.keys(value)) {
    at(walk, key, () => checkEmbedded(memberSchema(schema, key), value[key] as Value, walk));
  }
}

const GROUP_VERSION = /^[^/]*(\/[^/]*)?$/;
const KIND = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i;

function checkResource(resource: ValueMap, walk: Walk): void {
  for (const [key, pattern] of [
    ['apiVersion', GROUP_VERSION],
    ['kind', KIND],
  ] as const) {
    const value = resource[key];
    if (value === undefined) add(walk, 'required', phrase`is required`, key);
    else if (typeof value !== 'string') add(walk, 'type', phrase`must be a string`, key);
    else if (value === '' || !pattern.test(value)) add(walk, 'value', phrase`is no ${shown(key)}`, key);
  }
  const { metadata } = resource;
  if (metadata === undefined) return;
  checkMetadata(metadata, walk);
  if (isMap(metadata)) at(walk, 'metadata', () => checkNames(metadata, walk));
}

/** Checks metadata as ObjectMeta, whatever the schema says of it. */
function checkMetadata(metadata: Value, walk: Walk): void {
  const typed: Walk = { ...walk, custom: false };
  at(typed, 'metadata', () => visit(objectMetaSchema, withoutNulls(metadata ?? {}), typed));
}

const segmentFault = (name: string): string | undefined =>
  name === '.' || name === '..' || /[/%]/.test(name) ? "may not be '.' or '..' nor hold '/' or '%'" : undefined;

const wholeName = (fault: string | undefined): string | undefined => fault && `is refused: ${fault}`;

/** Checks metadata of any kind (k8s.io/apimachinery/pkg/api/validation, ValidateObjectMeta). */
function checkNames(metadata: ValueMap, walk: Walk): void {
  const check = (key: string, faultOf: (text: string) => string | undefined): void => {
    const value = metadata[key];
    const fault = typeof value === 'string' && value !== '' ? phraseIf(faultOf(value)) : undefined;
    if (fault !== undefined) add(walk, 'value', fault, key);
  };
  check('name', segmentFault);
  check('generateName', (text) => (/[/%]/.test(text) ? "may not hold '/' or '%'" : undefined));
  check('namespace', (text) => wholeName(namespaceFault(text)));
  eachText(metadata.labels, (key, value) => {
    const fault = labelKeyFault(key) ?? labelValueFault(value);
    if (fault !== undefined) add(walk, 'value', phrase`is refused: ${fault}`, 'labels', key);
  });
  eachText(metadata.annotations, (key) => {
    const fault = labelKeyFault(key.toLowerCase());
    if (fault !== undefined) add(walk, 'value', phrase`is refused: ${fault}`, 'annotations', key);
  });
  if (Array.isArray(metadata.finalizers)) {
    metadata.finalizers.forEach((one, index) => {
      const fault = typeof one === 'string' ? labelKeyFault(one) : undefined;
      if (fault !== undefined) add(walk, 'value', phrase`is refused: ${fault}`, 'finalizers', index);
    });
  }
  if (typeof metadata.generation === 'bigint' && metadata.generation < 0n) {
    add(walk, 'value', phrase`must be at least 0`, 'generation');
  }
  if (Array.isArray(metadata.ownerReferences)) {
    at(walk, 'ownerReferences', () => checkOwners(metadata.ownerReferences as readonly Value[], walk));
  }
}

function eachText(map: Value | undefined, action: (key: string, value: string) => void): void {
  if (!isMap(map)) return;
  for (const [key, value] of Object.entries(map)) if (typeof value === 'string') action(key, value);
}

function checkOwners(owners: readonly Value[], walk: Walk): void {
  owners.forEach((owner, index) => {
    if (!isMap(owner)) return;
    for (const key of ['apiVersion', 'kind', 'name', 'uid']) {
      if (owner[key] === '') add(walk, 'required', phrase`is required`, index, key);
    }
    const fault = ownerFault(owner);
    if (fault !== undefined) add(walk, 'value', fault, index);
  });
  const controllers = owners.filter((owner) => isMap(owner) && owner.controller === true);
  if (controllers.length > 1) add(walk, 'value', phrase`may have only one controller`);
}
