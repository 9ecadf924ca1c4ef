import kustomize from '../../../data/kustomize-fields.json';
import { codes } from '../../core/diagnostics/index.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { isMap, ownValue, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { baseOf } from '../../core/text/paths.ts';
import { functionOptions, libraryOptions, type Option, sharedOptions } from '../../render/options/index.ts';

/** Files that are no Kubernetes objects of a package, but decide how it is read: a kustomization, a golden test, rules. */
export type SettingsKind = 'kustomization' | 'test' | 'rules';

/** A field of such a file. Lists are left out: the field of an item is that of its list. */
export interface SettingsField {
  about?: string;
  /** Its own fields, in the order in which they are offered. */
  fields?: Readonly<Record<string, SettingsField>>;
  /** The values that it may have. */
  values?: readonly SettingsValue[];
  /** It names a file or folder, from the folder of its file. */
  isPath?: boolean;
  isList?: boolean;
}

/** Returns the kind of a file that is recognized by its name. */
export function settingsKind(uri: string): SettingsKind | undefined {
  if (isKustomizationFile(uri)) return 'kustomization';
  const name = baseOf(uri);
  if (name === 'test.yaml') return 'test';
  return name === 'render-rgd.yaml' ? 'rules' : undefined;
}

/** Returns the field at a path of a file of settings, or of the spec of a functionConfig. */
export function settingsFieldAt(kind: SettingsKind | 'config', path: Path): SettingsField | undefined {
  let field: SettingsField | undefined = ROOTS[kind];
  for (const step of path) {
    if (typeof step === 'string') field = field?.fields && ownValue(field.fields, step);
  }
  return field;
}

const PATHS: SettingsField = { isPath: true, isList: true };

interface SettingsValue {
  value: string;
  about: string;
}

const valueList = (values: readonly string[], about = ''): readonly SettingsValue[] =>
  values.map((value) => ({ value, about }));

function optionField(option: Option): SettingsField {
  const { description: about } = option;
  if (option.type === 'boolean') return { about, values: valueList(['true', 'false']) };
  if (option.type === 'choice') return { about, values: valueList(option.choices) };
  return option.type === 'list' ? { about, isList: true } : { about };
}

const optionFields = (options: Readonly<Record<string, Option>>): Record<string, SettingsField> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionField(option)]));

const { exclude, openapi, inputsFrom, defaults } = sharedOptions;

const TEST: SettingsField = {
  fields: {
    input: { ...PATHS, about: 'The files of the package; by default those of the folder.' },
    definitions: { ...PATHS, about: 'Files with RGDs and CRDs that are read beside the input.' },
    observed: { ...PATHS, about: 'Files with live objects.' },
    policies: { ...PATHS, about: 'Files with admission policies.' },
    expected: { about: 'The objects that are compared, and their fields; by default all of them.' },
    ...optionFields({ ...libraryOptions, exclude, openapi, inputsFrom, defaults }),
    openapi: { isPath: true, about: openapi.description },
    inputsFrom: { isPath: true, about: inputsFrom.description },
    defaults: { isPath: true, about: defaults.description },
  },
};

const CONFIG: SettingsField = {
  fields: {
    ...optionFields(functionOptions),
    definitions: { ...PATHS, about: sharedOptions.definitions.description },
    observed: { ...PATHS, about: sharedOptions.observed.description },
  },
};

const CODES: readonly SettingsValue[] = Object.entries(codes).map(([value, { meaning }]) => ({
  value,
  about: meaning,
}));

const RULES: SettingsField = {
  fields: {
    rules: {
      isList: true,
      about: 'What happens to diagnostics of some codes.',
      fields: {
        code: { about: 'A code, or the beginning of codes followed by `*`.', values: CODES },
        severity: { about: 'The severity that they get.', values: valueList(['off', 'info', 'warning', 'error']) },
        paths: { about: 'Globs of the files that the rule is for; without them it is for all files.', isList: true },
        reason: { about: 'Why. A rule without a reason is an error.' },
      },
    },
    policies: { ...PATHS, about: 'Files and folders with admission policies.' },
    applications: {
      isList: true,
      about: 'Applications that no file of the repository declares, for `plan`.',
      fields: {
        name: { about: 'Its name.' },
        path: { isPath: true, about: 'Its folder.' },
        definitions: { ...PATHS, about: 'Folders with RGDs and CRDs.' },
        namespace: { about: 'The namespace of objects without one.' },
        strict: { values: valueList(['true', 'false']), about: sharedOptions.strict.description },
      },
    },
    accepted: {
      isList: true,
      about: 'Dangers of a plan that were reviewed.',
      fields: {
        application: { about: 'The name of the application, or its kind and name.' },
        object: { about: '`Kind namespace/name`; without it the danger is one of the application itself.' },
        danger: { about: 'The code of the danger.', values: CODES },
        reason: { about: 'Why it is accepted.' },
      },
    },
  },
};

/** What the leaves of the table of kustomize are that name files or folders. */
const FILE_ROLES: ReadonlySet<unknown> = new Set(['file', 'folder', 'patch', 'configuration']);

/** The fields that people use most come first. */
const FIRST = ['resources', 'patches', 'components', 'namespace', 'images', 'configMapGenerator', 'generators'];

const ROOTS: Readonly<Record<SettingsKind | 'config', SettingsField>> = {
  kustomization: kustomizeField(kustomize.kustomization as unknown as ValueMap),
  test: TEST,
  rules: RULES,
  config: CONFIG,
};

function kustomizeField(entry: Value): SettingsField {
  if (!isMap(entry)) return FILE_ROLES.has(entry) ? { isPath: true } : {};
  const names = [...FIRST.filter((name) => Object.hasOwn(entry, name)), ...Object.keys(entry)];
  const fields = [...new Set(names)].map((name) => [name, kustomizeField(ownValue(entry, name) ?? null)] as const);
  return { fields: Object.fromEntries(fields) };
}
