export { jsonNumber, toJsonText, yamlNumber } from './json.ts';
export { doubleQuoted, yamlScalar } from './scalar.ts';
export { documentWriter, indented, itemWriter, toYaml, writeYaml } from './yaml.ts';
