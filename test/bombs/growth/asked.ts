/** What the servers for assistants and for browsers do in the working copy of a dimension. */
import { Buffer } from 'node:buffer';
import { readFiles } from '../../../src/cli/files.ts';
import { OpenedFiles, pageWith } from '../../../src/cli/playground/opened.ts';
import { assistantFor } from '../../../src/cli/servers.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { recordingIo } from '../../cli/recording.ts';

/** A request to a server that was started in the working copy. */
export interface Asked {
  command: 'mcp' | 'playground';
  /** The folders that it reads. */
  reads: readonly string[];
  ask(): Promise<unknown>;
}

const paths = ['p'];
const object = 'App/one';
/** A file that every dimension of deployments has, and one of the package. */
const CHANGES = { 'base/c.yaml': null, 'p/app.yaml': null };

const commands = async () => import('../../../src/cli/commands.ts') as never;

function tool(name: string, given: Readonly<Record<string, unknown>>, reads: readonly string[]): Asked {
  return {
    command: 'mcp',
    reads,
    ask: () => {
      const io = recordingIo({ stdout: '', stderr: '' }, undefined);
      return assistantFor({ io, version: '0.0.0-test', commands }).call(name, given);
    },
  };
}

function opened(): OpenedFiles {
  const look = () => {
    const reports = new Collector();
    const found = readFiles(paths, { exclude: [], stdin: new Uint8Array() }, reports);
    return { texts: [['objects', found]] as const, faults: reports.all };
  };
  return new OpenedFiles(paths, look);
}

const PAGE = Buffer.from("<html><body>connect-src 'none'</body></html>");

/** Requests by the names of their rows. */
export const asked: Readonly<Record<string, Asked>> = {
  'mcp validate': tool('validate', { paths, observed: ['live'] }, ['p', 'live']),
  'mcp render': tool('render', { paths }, ['p']),
  'mcp pending': tool('pending', { paths, observed: ['live'] }, ['p', 'live']),
  'mcp graph': tool('graph', { paths, instance: object }, ['p']),
  'mcp explain': tool('explain', { paths, object }, ['p']),
  'mcp cel': tool('cel', { paths, object, expression: 'schema.spec.a' }, ['p']),
  'mcp schema': tool('schema', { paths, kind: 'App' }, ['p']),
  'mcp plan': tool('plan', { changes: CHANGES }, ['.']),
  'playground page': {
    command: 'playground',
    reads: ['p'],
    ask: async () => {
      const files = opened();
      return [pageWith(PAGE, files, true), files.stamp()];
    },
  },
};
