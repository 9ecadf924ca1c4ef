// The engine's own startsWith and endsWith look at each character for itself: they take many times as long as a copy
// that is compared whole.

export const startsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(0, part.length) === part;

export const endsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(text.length - part.length) === part;
