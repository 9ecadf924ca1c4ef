/**
 * Reports whether kustomize may fetch a reference to a folder (kustomize: NewRepoSpecFromURL): a URL, a forced `git::`,
 * `user@host:path`, `github.com/...` without a scheme, or a query. Similar texts count too: kustomize would fetch even
 * if a folder has that name.
 */
export const isRemote = (reference: string): boolean =>
  isUrl(reference) || /[?]|^\s*[a-z][a-z0-9+.-]*:/i.test(reference);

/** Reports the same for references to files only (kustomize: IsRemoteFile), and for texts that may be YAML. */
export const isUrl = (reference: string): boolean =>
  /^\s*(https?:|[a-z][a-z0-9+.-]*:\/\/|git::|[a-z0-9._-]+@|github\.com[/:])/i.test(reference);

/** git would read such a branch as a flag: `?ref=--upload-pack=COMMAND` runs it. */
export const isFlagForGit = (reference: string): boolean => /[?&;][^=&;]*=\s*(-|%2d|%20|\+)/i.test(reference);
