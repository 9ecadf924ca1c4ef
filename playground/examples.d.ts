/** The titles of the examples, and the files of the first one. */
declare module 'virtual:examples' {
  export const examples: readonly { readonly name: string; readonly title: string }[];
  export const first: readonly import('./engine/protocol.ts').PackageFile[];
}

/** The files and options of every example by its name. */
declare module 'virtual:example-files' {
  export const contents: Readonly<Record<string, import('./state/workspace.ts').Contents>>;
}
