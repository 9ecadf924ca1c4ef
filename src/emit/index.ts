export { toJsonText } from './json.ts';
export { jsonNumber, yamlNumber } from './number.ts';
export { doubleQuoted } from './scalar.ts';
export { itemWriter, toYaml, writeYaml } from './yaml.ts';
