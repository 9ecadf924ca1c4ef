import type { CompletionItem, Diagnostic, Hover, Location, SignatureHelp, WorkspaceEdit } from 'vscode-languageserver';

/** A message of JSON-RPC. */
export interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** A connection between an editor and a server. */
export interface Wire {
  send(message: Message & { jsonrpc: '2.0' }): void;
  /** Yields what the server sends. */
  listen(onMessage: (message: Message) => void): void;
  close(): void;
}

export interface Position {
  line: number;
  character: number;
}

/**
 * A test editor without a user interface: it opens texts, sends requests, and keeps the diagnostics that it receives.
 */
export class Editor {
  readonly diagnostics = new Map<string, Diagnostic[]>();
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Set<() => void>();
  #ids = 0;

  constructor(private readonly wire: Wire) {
    wire.listen((message) => this.#take(message));
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: Diagnostic[] };
      this.diagnostics.set(uri, diagnostics);
      for (const listener of this.#listeners) listener();
    } else if (method !== undefined) {
      if (id !== undefined) this.wire.send({ jsonrpc: '2.0', id, result: null });
    } else if (typeof id === 'number') {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error.message));
    }
  }

  async start(
    options: { rootUri?: string; capabilities?: object; initializationOptions?: object } = {},
  ): Promise<unknown> {
    const { rootUri = null, capabilities = {}, initializationOptions } = options;
    const initialized = await this.ask('initialize', { processId: null, rootUri, capabilities, initializationOptions });
    this.tell('initialized', {});
    return initialized;
  }

  ask<T>(method: string, params: unknown): Promise<T> {
    this.#ids += 1;
    const id = this.#ids;
    const answer = new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
    this.wire.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  tell(method: string, params: unknown): void {
    this.wire.send({ jsonrpc: '2.0', method, params });
  }

  open(uri: string, text: string): void {
    this.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  }

  /** Resolves when the received diagnostics satisfy the condition. */
  async until(isDone: () => boolean): Promise<void> {
    if (isDone()) return;
    await new Promise<void>((resolve) => {
      const listener = (): void => {
        if (!isDone()) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  async complete(uri: string, position: Position): Promise<string[]> {
    const items = await this.ask<CompletionItem[]>('textDocument/completion', { textDocument: { uri }, position });
    return items.map(({ label }) => label);
  }

  async hover(uri: string, position: Position): Promise<string> {
    const hover = await this.ask<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
    return (hover?.contents as { value: string } | undefined)?.value ?? '';
  }

  definition(uri: string, position: Position): Promise<Location[]> {
    return this.ask('textDocument/definition', { textDocument: { uri }, position });
  }

  references(uri: string, position: Position): Promise<Location[]> {
    const context = { includeDeclaration: true };
    return this.ask('textDocument/references', { textDocument: { uri }, position, context });
  }

  async signatures(uri: string, position: Position): Promise<string> {
    const help = await this.ask<SignatureHelp | null>('textDocument/signatureHelp', {
      textDocument: { uri },
      position,
    });
    return (
      help?.signatures
        .map(({ label }, at) => `${at === help.activeSignature ? '*' : ''}${label}#${help.activeParameter}`)
        .join('\n') ?? ''
    );
  }

  rename(uri: string, position: Position, newName: string): Promise<WorkspaceEdit | null> {
    return this.ask('textDocument/rename', { textDocument: { uri }, position, newName });
  }

  async stop(): Promise<void> {
    await this.ask('shutdown', null);
    this.wire.close();
  }
}
