import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registryPackage } from '../registry-package.mjs';

/** SPDX's own texts of licences. */
const LIST = {
  name: 'spdx-license-list',
  version: '6.12.0',
  integrity: 'sha512-+nUYqm3aZMSHbjsthK+i/HHI2okTElCvqwUd4k8QcSk+FTGgjq+fsdFj2wZOaX6XmR2JdWhf/NeflNnvKOjcnQ==',
};

/**
 * SPDX does not list exceptions as licences. This one is a paragraph after the Apache licence; its owners publish the
 * text.
 */
const EXCEPTIONS = { 'LLVM-exception': 'https://spdx.org/licenses/LLVM-exception.html' };

/** Returns the texts of licences by their SPDX names. */
export function licenceTexts(ids) {
  const folder = registryPackage(LIST.name, LIST.version, LIST.integrity);
  const textOf = (id) => JSON.parse(readFileSync(join(folder, 'licenses', `${id}.json`), 'utf8')).licenseText.trim();
  return new Map(ids.map((id) => [id, EXCEPTIONS[id] ?? textOf(id)]));
}
