// The engine's startsWith and endsWith compare character by character: they take many times as long as comparing a
// copied part.

export const startsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(0, part.length) === part;

export const endsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(text.length - part.length) === part;
