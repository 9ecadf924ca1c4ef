import type { PackageFile, PackageOptions, Rendered } from '../engine/protocol.ts';

/** A line that an object must contain, ignoring indentation. */
export interface ExpectedLine {
  /** `KIND/NAME`. */
  readonly object: string;
  readonly line: string;
}

/** A short task in the playground, with a check of the reader's answer. */
export interface Lesson {
  readonly id: string;
  readonly title: string;
  /** The explanation, a paragraph each. */
  readonly about: readonly string[];
  readonly task: string;
  readonly files: readonly PackageFile[];
  /** The modes of its rendering; without them the default. */
  readonly options?: PackageOptions;
  /** Lines of rendered objects that an answer must have. */
  readonly expected: readonly ExpectedLine[];
  /** The number of objects that an answer renders. */
  readonly count: number;
  /** The text of the first file in the solution. */
  readonly solution: string;
  /** A file that the solution adds. */
  readonly added?: PackageFile;
}

/** Returns what is missing from an answer, in sentences; nothing if it is right. */
export function missingFrom({ expected, count }: Lesson, { objects, diagnostics }: Rendered): string[] {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) return [`There is an error: ${error.message}.`];
  const missing = expected.flatMap(({ object, line }) => {
    const found = objects.find(({ kind, name }) => `${kind}/${name}` === object);
    if (found === undefined) return [`There is no ${object} yet.`];
    return found.yaml.split('\n').some((text) => text.trim() === line) ? [] : [`${object} should have ${line}`];
  });
  if (missing.length > 0 || objects.length === count) return missing;
  return [
    `There should be ${count} object${count === 1 ? '' : 's'}, and there ${objects.length === 1 ? 'is' : 'are'} ${objects.length}.`,
  ];
}

export const file = (name: string, text: string, role: PackageFile['role'] = 'objects'): PackageFile => ({
  name,
  text,
  role,
});

/** Returns an RGD of the group kro.run from its schema and resources, both YAML without indentation. */
export const rgd = (kind: string, schema: string, resources: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: ${kind.toLowerCase()}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
${indented(schema, 4)}
  resources:
${indented(resources, 4)}
`;

/** An instance in the namespace default. */
export const instance = (kind: string, name: string, spec: string): string => `apiVersion: kro.run/v1alpha1
kind: ${kind}
metadata:
  name: ${name}
  namespace: default
spec:
${indented(spec, 2)}
`;

const indented = (text: string, by: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`)
    .join('\n');
