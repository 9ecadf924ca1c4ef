/**
 * Whether kustomize may take a reference to a folder for something to fetch (kustomize: NewRepoSpecFromURL): a URL, a
 * forced `git::`, `user@host:path`, `github.com/...` without a scheme, or a query. Anything that merely looks like it
 * counts: a folder may be called so, and kustomize would still fetch.
 */
export const isRemote = (reference: string): boolean =>
  isUrl(reference) || /[?]|^\s*[a-z][a-z0-9+.-]*:/i.test(reference);

/** The same where nothing but a file is read (kustomize: IsRemoteFile), and for texts that may be YAML instead. */
export const isUrl = (reference: string): boolean =>
  /^\s*(https?:|[a-z][a-z0-9+.-]*:\/\/|git::|[a-z0-9._-]+@|github\.com[/:])/i.test(reference);

/** git would take such a branch for a flag: `?ref=--upload-pack=COMMAND` runs it. */
export const isFlagForGit = (reference: string): boolean => /[?&;][^=&;]*=\s*(-|%2d|%20|\+)/i.test(reference);
