import { type Code, codes, type Diagnostic, type Related } from '../../core/diagnostics/index.ts';
import { textDigest } from '../../core/digest/hashes.ts';
import { type Evidence, tallyOf } from '../../core/ledger/index.ts';
import { visible } from '../../core/text/visible.ts';
import { messageWithoutPlaces, subjectText } from '../../yaml/locate/index.ts';
import { annotated, DIAGNOSTICS_PAGE, type ReportInput, type SourceFix, subjectOf } from './input.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/**
 * Returns SARIF 2.1.0 (OASIS) for GitHub code scanning: each result has a rule with a help text, a fingerprint that does
 * not depend on lines, and a location. GitHub rejects results without one, so that these are notifications.
 */
export function sarifReport(input: ReportInput): string {
  const { version } = input;
  const diagnostics = annotated(input);
  const found = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const indexOf = new Map(found.map((code, index) => [code, index]));
  const fingerprint = fingerprints();
  const placed = diagnostics.filter(({ file }) => file !== undefined);
  const unplaced = diagnostics.filter(({ file }) => file === undefined);
  const run = {
    tool: { driver: { name: 'render-rgd', version, semanticVersion: version, rules: found.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The folder in which render-rgd ran.' } } },
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: unplaced.map((one) => ({
          level: LEVELS[one.severity],
          message: { text: textOf(one) },
          descriptor: { id: one.code },
        })),
        ...(input.evidence && { properties: { evidence: countsOfEvidence(input.evidence) } }),
      },
    ],
    results: placed.map((one) => {
      const fixes = input.fixesOf?.(one) ?? [];
      return {
        ruleId: one.code,
        ruleIndex: indexOf.get(one.code),
        level: LEVELS[one.severity],
        message: { text: textOf(one) },
        locations: [locationOf(one)],
        ...(one.related === undefined ? {} : { relatedLocations: one.related.map(relatedLocation) }),
        partialFingerprints: { 'renderRgd/v1': fingerprint(one) },
        ...(fixes.length === 0 ? {} : { fixes: fixes.map((fix) => fixIn(one, fix)) }),
      };
    }),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return visible(`${JSON.stringify(log, null, 2)}\n`);
}

/** Returns the numbers of files, objects and rendered objects by what became of them. */
function countsOfEvidence({ files, given, rendered, accepted }: Evidence): unknown {
  const { unseen } = tallyOf(rendered.named);
  return { files: tallyOf(files), objects: tallyOf(given), rendered: { all: rendered.all, unseen }, accepted };
}

function ruleOf(code: Code): unknown {
  const { meaning, remedy, stage } = codes[code];
  const help = `${meaning}\n\nWhat to do: ${remedy}`;
  return {
    id: code,
    shortDescription: { text: meaning },
    fullDescription: { text: help },
    help: { text: help },
    helpUri: `${DIAGNOSTICS_PAGE}#${code}`,
    properties: { tags: [stage] },
  };
}

function textOf(one: Diagnostic): string {
  const subject = subjectOf(one);
  const about = subjectText(one);
  const instance = about === undefined ? '' : `\n${about}`;
  const hint = one.hint === undefined ? '' : `\nHint: ${one.hint}`;
  return `${subject === '' ? '' : `${subject}: `}${one.message}${instance}${hint}`;
}

function locationOf(one: Diagnostic): unknown {
  const { object, node, field } = one;
  const logical = [object, node, field].filter((part) => part !== undefined && part !== '').join('/');
  return {
    physicalLocation: physicalLocation(one),
    ...(logical === '' ? {} : { logicalLocations: [{ fullyQualifiedName: logical, kind: 'object' }] }),
  };
}

const relatedLocation = ({ message, ...place }: Related): unknown => ({
  physicalLocation: physicalLocation(place),
  message: { text: message },
});

const fixIn = ({ file = '' }: Diagnostic, { title, edits }: SourceFix): unknown => ({
  description: { text: title },
  artifactChanges: [
    {
      artifactLocation: artifactOf(file),
      replacements: edits.map(({ text, ...deletedRegion }) => ({ deletedRegion, insertedContent: { text } })),
    },
  ],
});

/** GitHub requires a region in every location. JSON has no undefined fields. */
const physicalLocation = ({ file = '', line, column, endColumn }: Partial<Diagnostic>): unknown => ({
  artifactLocation: artifactOf(file),
  region: { startLine: line ?? 1, startColumn: column, endColumn },
});

/** Returns a relative path below the current folder of the command; standard input has none. */
function artifactOf(file: string): { uri: string; uriBaseId?: string } {
  const slashed = file.replaceAll('\\', '/');
  if (/^[A-Za-z]:\//.test(slashed)) return { uri: `file:///${encoded(slashed)}` };
  if (slashed.startsWith('/')) return { uri: `file://${encoded(slashed)}` };
  return { uri: encoded(file === '-' ? 'stdin' : slashed.replace(/^(\.\/)+/, '')), uriBaseId: '%SRCROOT%' };
}

/** Escapes colons, which a relative reference cannot contain before its first slash. */
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Returns fingerprints of findings across commits: by the path in the object, not the line. */
function fingerprints(): (one: Diagnostic) => string {
  const times = new Map<string, number>();
  return (one) => {
    const message = messageWithoutPlaces(one);
    const key = [one.code, one.file, one.object, one.node, one.field, message].join('\u0000');
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return textDigest(`${key}\u0000${before}`, 32);
  };
}
