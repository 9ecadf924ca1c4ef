import { phrase } from '../../../core/diagnostics/index.ts';
import { isLetterLabel, isProtectedGroup, isSubdomain } from '../../../core/model/names.ts';
import { get, getAt, isMap, type Value } from '../../../core/model/value.ts';
import {
  all,
  anyText,
  at,
  each,
  fields,
  list,
  map,
  missing,
  oneOf,
  type Rule,
  refuse,
  required,
  text,
  textAt,
  unique,
} from './rule.ts';
import { rootSchema } from './structural-schema.ts';

const label = text(
  isLetterLabel,
  phrase`must be an RFC 1035 label: lower case letters, digits and dashes, a letter first, at most 63`,
);
const mixedLabel = text(
  (name) => isLetterLabel(name.toLowerCase()),
  phrase`must be letters, digits and dashes, a letter first, at most 63`,
);

const notEmptyText = anyText((name) => name !== '', phrase`must not be empty`);

const names = all(
  required('plural', 'kind'),
  fields({
    plural: label,
    singular: label,
    kind: mixedLabel,
    listKind: mixedLabel,
    shortNames: each(all(notEmptyText, label)),
    categories: each(all(notEmptyText, label)),
  }),
  map((value, place) => {
    if (textAt(value, 'kind') !== '' && value.listKind === value.kind)
      refuse(place, phrase`must not be the kind itself`, 'listKind');
  }),
);

const simplePath = text((path) => path.startsWith('.'), phrase`must be a JSON path that starts with a dot`);
const below = (...parts: readonly string[]): Rule =>
  text((path) => parts.some((part) => path.startsWith(part)), phrase`must be a JSON path below ${parts.join(' or ')}`);

const column = all(
  required('name', 'type', 'jsonPath'),
  fields({
    type: oneOf('integer', 'number', 'string', 'boolean', 'date'),
    format: text(
      (format) => ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'].includes(format),
      phrase`must be int32, int64, float, double, byte, date, date-time or password`,
    ),
    jsonPath: simplePath,
  }),
);

const scale = all(
  required('specReplicasPath', 'statusReplicasPath'),
  fields({
    specReplicasPath: below('.spec.'),
    statusReplicasPath: below('.status.'),
    labelSelectorPath: below('.spec.', '.status.'),
  }),
);

const version = all(
  fields({ name: label, subresources: fields({ scale }), additionalPrinterColumns: each(column) }),
  map((value, place) => {
    if (value.deprecated !== true && typeof value.deprecationWarning === 'string')
      refuse(place, phrase`must not be set for a version that is not deprecated`, 'deprecationWarning');
    const schema = getAt(value, ['schema', 'openAPIV3Schema']);
    if (!isMap(schema)) return missing(place, phrase`is required`, 'schema', 'openAPIV3Schema');
    const hasStatus = isMap(get(value.subresources, 'status'));
    at(place, 'schema', schema, (_, inner) => at(inner, 'openAPIV3Schema', schema, rootSchema(hasStatus)));
  }),
);

const versions = all(
  each(version),
  unique((item) => textAt(item, 'name'), 'name'),
  list((value, place) => {
    const stored = value.filter((item: Value) => get(item, 'storage') === true);
    if (stored.length !== 1) refuse(place, phrase`must have exactly one version with storage: true`);
  }),
);

const spec = all(
  required('group', 'scope'),
  fields({
    group: text(
      (group) => isSubdomain(group) && group.includes('.'),
      phrase`must be a domain with at least one dot: lower case letters, digits, dashes and dots, at most 253`,
    ),
    scope: oneOf('Cluster', 'Namespaced'),
    names,
    versions,
  }),
  map((value, place) => {
    if (value.preserveUnknownFields === true)
      refuse(place, phrase`must not be true: use x-kubernetes-preserve-unknown-fields`, 'preserveUnknownFields');
  }),
);

const APPROVED = 'api-approved.kubernetes.io';

/**
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation, ValidateCustomResourceDefinition. Conversions and
 * selectable fields are not checked.
 */
export const customResourceDefinition: Rule = all(
  fields({ spec }),
  map((value, place) => {
    const group = textAt(value.spec, 'group');
    const plural = textAt(get(value.spec, 'names'), 'plural');
    const name = textAt(value.metadata, 'name');
    if (group === '' || plural === '' || name === '') return;
    if (name !== `${plural}.${group}`)
      refuse(place, phrase`must be spec.names.plural and spec.group: ${`${plural}.${group}`}`, 'metadata', 'name');
    const approval = getAt(value, ['metadata', 'annotations', APPROVED]);
    if (
      isProtectedGroup(group) &&
      !(typeof approval === 'string' && /^(?:unapproved|[a-z][a-z\d+.-]*:\/\/[^/])/i.test(approval))
    )
      missing(
        place,
        phrase`must be a URL, or start with 'unapproved', for a group of Kubernetes`,
        'metadata',
        'annotations',
        APPROVED,
      );
  }),
);
