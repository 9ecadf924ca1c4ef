import { codes } from '../../core/diagnostics/index.ts';

/** Reports whether a text is the name of a code, or the beginning of some, followed by `*`. */
export const isKnownCode = (code: string): boolean =>
  code.endsWith('*') ? Object.keys(codes).some((one) => one.startsWith(code.slice(0, -1))) : Object.hasOwn(codes, code);
