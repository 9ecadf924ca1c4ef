declare module 'virtual:examples' {
  /** The folders of `examples/`, the one that the page opens with first. */
  export const examples: readonly {
    readonly name: string;
    readonly title: string;
    readonly files: readonly import('./engine/protocol.ts').PackageFile[];
  }[];
}
