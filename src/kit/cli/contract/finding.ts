export type Severity = 'error' | 'warning';

/** Something in a contract that a rule does not admit. */
export type Finding = {
  readonly rule: string;
  readonly severity: Severity;
  /** The file, line and column. */
  readonly at: string;
  /** A JSON pointer or a schema coordinate. */
  readonly place: string;
  readonly message: string;
};

/** A finding of a rule whose severity the project may change. */
export type Found = Omit<Finding, 'severity'> & { readonly severity: Severity | 'off' };

export function findingLine({ rule, severity, at, place, message }: Finding): string {
  return `${at}: ${severity} ${rule}: ${message}\n  ${place}\n`;
}
