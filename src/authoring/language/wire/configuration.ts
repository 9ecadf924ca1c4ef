import { Collector } from '../../../core/diagnostics/index.ts';
import { isOpenapiDocument } from '../../../kubernetes/schema/index.ts';
import { readStreams } from '../../../yaml/parse/index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Host } from './host.ts';
import { type RawSettings, type ReadSettings, readSettings } from './settings.ts';

/** The settings of a client, for the workspace. */
export class Configuration {
  #read: ReadSettings | undefined;

  constructor(
    private readonly workspace: Workspace,
    private readonly host: Host,
  ) {}

  take(raw: RawSettings, folders: readonly string[]): void {
    this.#read = readSettings(raw, folders);
    this.workspace.configure(this.#read.settings, this.#read.preferred);
  }

  /** The locations of definitions that may be outside of the workspace. */
  get beside(): readonly string[] {
    return this.#read?.preferred ?? [];
  }

  /** Reads the OpenAPI document of the settings. */
  async readOpenapi(): Promise<void> {
    const read = this.#read;
    const text = read?.openapi === undefined ? undefined : await this.host.read?.(read.openapi);
    if (read === undefined || text === undefined) return;
    const [document] = readStreams([{ file: read.openapi ?? '', text }], new Collector());
    if (document === undefined || !isOpenapiDocument(document.object)) return;
    this.workspace.configure({ ...read.settings, openapi: document.object }, read.preferred);
  }
}
