const DECIMAL = /^(0|-?[1-9][0-9]{0,15})$/;

/** Whether a text is an integer in canonical decimal digits, of those that JavaScript knows exactly. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && Number.isSafeInteger(Number(text));
}
