export { toJsonText } from './json.ts';
export { jsonNumber, yamlNumber } from './number.ts';
export { doubleQuoted, yamlScalar } from './scalar.ts';
export { documentWriter, itemWriter, toYaml, writeYaml } from './yaml.ts';
