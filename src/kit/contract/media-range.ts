/** The media type without its parameters, in lower case. */
export function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The declared media type or range that a media type is of: the exact one first, then the narrowest range. */
export function declaredFor(declared: Iterable<string>, mediaType: string): string | undefined {
  const all = [...declared];
  const bare = bareType(mediaType);
  const [main = ''] = bare.split('/');
  return (
    all.find((each) => each === mediaType) ??
    all.find((each) => bareType(each) === bare) ??
    all.find((each) => bareType(each) === `${main}/*`) ??
    all.find((each) => bareType(each) === '*/*')
  );
}

export function isJsonType(mediaType: string): boolean {
  return /^[^/]+\/([^+]+\+)?json$/.test(bareType(mediaType));
}
