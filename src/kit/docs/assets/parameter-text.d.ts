/** How the contract writes a parameter as text. */
export type ParameterForm = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly explode: boolean;
  /** Whether its text is JSON. */
  readonly json?: boolean;
  /** Whether reserved characters stay as they are. */
  readonly reserved?: boolean;
};

export function parameterText(form: ParameterForm, value: unknown): string;
