import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedPackages } from '../cached-package.mjs';

const LIBRARY = '@cyclonedx/cyclonedx-library@10.3.0';
/** The validator of that library, which its users install. */
const VALIDATOR = ['ajv@8.17.1', 'ajv-formats@3.0.1', 'ajv-formats-draft2019@1.6.1'];
const name = 'against the schema of CycloneDX';

/** Checks the bill of materials with the library of CycloneDX itself and its strict schema. */
export async function schemaFault(sbom) {
  const folder = cachedPackages(LIBRARY, ...VALIDATOR);
  if (folder === undefined) return { name, skipped: `no registry has ${LIBRARY}` };
  const { Spec, Validation } = createRequire(join(folder, 'x.cjs'))('@cyclonedx/cyclonedx-library');
  const validator = new Validation.JsonStrictValidator(Spec.Version[`v${sbom.specVersion.replace('.', 'dot')}`]);
  const faults = await validator.validate(JSON.stringify(sbom));
  return { name, fault: faults === null ? undefined : JSON.stringify(faults).slice(0, 500) };
}
