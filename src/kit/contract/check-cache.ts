/** Finds what is known of a contract from an earlier start. */
export type CheckCache = (subject: CheckSubject) => CheckEntry;

/** All that the checks of a contract depend on, beside the checks themselves. */
export type CheckSubject = {
  readonly kind: 'openapi' | 'sdl';
  /** SHA-256 of the text. */
  readonly digest: string;
  /** The name of the file, which warnings tell. */
  readonly file: string;
  readonly lenient: boolean;
  /** The names of the API's own formats. */
  readonly formats?: readonly string[];
};

export type CheckEntry = {
  /** The warnings of a contract that passed all checks; undefined where it must be checked. */
  readonly warnings: readonly string[] | undefined;
  /** Keeps that the contract passed all checks, with these warnings. */
  keep(warnings: readonly string[]): void;
};
