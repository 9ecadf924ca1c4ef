/** Numbers with a check digit, as k8s.io/kube-openapi checks them. */

const withoutDashes = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');

export function isIsbn10(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  const sum = [...digits].reduce((before, digit, at) => before + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((before, digit, at) => before + (at % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

/** Lengths and first digits of the issuers. */
const CARDS =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  return CARDS.test(digits) && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, at) => {
    const weighted = at % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return sum + (weighted >= 10 ? weighted - 9 : weighted);
  }, 0);
}

export const isSsn = (text: string): boolean => /^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$/.test(text);
