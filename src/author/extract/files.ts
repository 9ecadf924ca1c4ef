import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { toYaml } from '../../yaml/emit/index.ts';

/** What is written: the RGD, its instances, and what one of them renders to. */
interface Written {
  readonly rgd: KubeObject;
  /** The RGD as YAML. */
  readonly text: string;
  readonly instances: readonly KubeObject[];
  readonly rendered: readonly KubeObject[];
}

/** Returns the files of an RGD by path: the RGD, an instance for each copy, and a golden test of the first one. */
export function filesOf({ rgd, text, instances, rendered }: Written): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const rgdFile = `${nameOf(rgd)}.yaml`;
  files.set(rgdFile, text);
  const names = instances.map(nameOf);
  for (const instance of instances) {
    const name = nameOf(instance);
    const isOnly = names.indexOf(name) === names.lastIndexOf(name);
    files.set(`instances/${isOnly ? name : `${namespaceOf(instance)}-${name}`}.yaml`, toYaml([instance]));
  }
  const [first] = instances;
  if (first === undefined) return files;
  const test = `tests/${nameOf(first)}`;
  files.set(`${test}/test.yaml`, `definitions: [../../${rgdFile}]\n`);
  files.set(`${test}/instance.yaml`, toYaml([first]));
  files.set(`${test}/expected.yaml`, toYaml(rendered));
  return files;
}

/** Returns the RGD and its instances as one YAML stream. */
export function streamOf({ rgd, text, instances }: Pick<Written, 'rgd' | 'text' | 'instances'>): string {
  const plain = toYaml([rgd]);
  return text + toYaml([rgd, ...instances]).slice(plain.length);
}
