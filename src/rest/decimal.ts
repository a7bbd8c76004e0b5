/** Whether a text is an integer in canonical decimal digits, of those that JavaScript knows exactly. */
export function isDecimal(text: string): boolean {
  return /^(0|-?[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
}
