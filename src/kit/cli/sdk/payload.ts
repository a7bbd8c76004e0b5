/** Whether a body of this media type is JSON; any other is taken as text. */
export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}
