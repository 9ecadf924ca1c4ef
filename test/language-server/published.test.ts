import { describe, expect, it } from 'vitest';
import type { Connection, PublishDiagnosticsParams } from 'vscode-languageserver';
import { createPublisher, type Publisher } from '../../src/language-server/wire/publisher.ts';
import type { Host } from '../../src/language-server/wire/settings.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';

const URI = 'file:///app/rgd.yaml';

/** An RGD with this field has no diagnostics. */
const REQUIRED = 'string | required=true';

const rgd = (image: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec:
      image: ${image}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {image: "\${schema.spec.image}"}
`;

type Pull = (params: { textDocument: { uri: string } }) => Promise<{ items: { code: string }[] }>;

/** A publisher whose pauses a test ends, and what it published. */
interface Published {
  workspace: Workspace;
  publisher: Publisher;
  sent: PublishDiagnosticsParams[];
  /** What answers a request for the diagnostics of a file. */
  pulls: Pull[];
  /** Runs what waits for a pause, until nothing does. */
  finish(): void;
}

function publishing(isScanned = true): Published {
  const workspace = new Workspace();
  const sent: PublishDiagnosticsParams[] = [];
  const waiting: (() => void)[] = [];
  const pulls: Pull[] = [];
  const connection = {
    sendDiagnostics: async (params: PublishDiagnosticsParams) => {
      sent.push(params);
    },
    languages: {
      diagnostics: {
        on: (pull: Pull) => {
          pulls.push(pull);
        },
        onWorkspace: () => {},
      },
    },
  };
  const host: Host = {
    version: '0',
    later: (run) => {
      waiting.push(run);
      return () => waiting.splice(waiting.indexOf(run), 1);
    },
  };
  const publisher = createPublisher(connection as unknown as Connection, workspace, host);
  if (isScanned) publisher.scanned();
  const finish = (): void => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) run();
  };
  return { workspace, publisher, sent, pulls, finish };
}

describe('the publisher of diagnostics', () => {
  it('publishes each checked version of an open file, also one without diagnostics', () => {
    const { workspace, publisher, sent, finish } = publishing();
    for (const [version, image] of [REQUIRED, 'string | default="x"', 'nothing', REQUIRED].entries()) {
      workspace.open(URI, rgd(image), version);
      publisher.changed();
      finish();
    }
    expect(sent.map(({ version, diagnostics }) => [version, diagnostics.length > 0])).toEqual([
      [0, false],
      [1, false],
      [2, true],
      [3, false],
    ]);
  });

  it('publishes a version once, and a file that is not open when its diagnostics change', () => {
    const { workspace, publisher, sent, finish } = publishing();
    workspace.open(URI, rgd(REQUIRED), 1);
    workspace.setFile(
      'file:///app/other.yaml',
      rgd(REQUIRED).replaceAll('App', 'Other').replace('name: app', 'name: other'),
    );
    for (let times = 0; times < 3; times += 1) {
      publisher.changed();
      finish();
    }
    expect(sent.map(({ uri, version }) => [uri, version])).toEqual([[URI, 1]]);
  });

  it('publishes and answers nothing before the files are read, which decide what is one project', async () => {
    const { workspace, publisher, sent, pulls, finish } = publishing(false);
    workspace.open('file:///other/rgd.yaml', rgd(REQUIRED), 1);
    workspace.open(URI, rgd(REQUIRED), 1);
    publisher.changed();
    finish();
    const answer = pulls[0]?.({ textDocument: { uri: URI } });
    workspace.setFile('file:///app/render-rgd.yaml', 'rules: []\n');
    workspace.setFile('file:///other/render-rgd.yaml', 'rules: []\n');
    publisher.scanned();
    finish();
    expect(await answer).toMatchObject({ kind: 'full', items: [] });
    expect(sent.map(({ uri, diagnostics }) => [uri, diagnostics.length]).sort()).toEqual([
      [URI, 0],
      ['file:///other/rgd.yaml', 0],
    ]);
  });

  it('publishes no version whose package waits to be checked', () => {
    const { workspace, publisher, sent, finish } = publishing();
    workspace.addRoot('file:///app');
    workspace.addRoot('file:///other');
    workspace.open('file:///other/rgd.yaml', rgd('nothing').replaceAll('App', 'Other'), 1);
    workspace.open(URI, rgd('nothing'), 1);
    publisher.changed();
    finish();
    const wrong = sent.filter(({ diagnostics }) => diagnostics.length === 0);
    expect(wrong).toEqual([]);
    expect(sent.map(({ uri }) => uri).sort()).toEqual([URI, 'file:///other/rgd.yaml']);
  });
});
