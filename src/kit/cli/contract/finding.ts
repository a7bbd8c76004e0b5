/** Something in a contract that a rule does not admit. */
export type Finding = {
  readonly contract: 'openapi.yaml' | 'schema.graphql';
  readonly place: string;
  readonly message: string;
};

export function findingLine({ contract, place, message }: Finding): string {
  return `${contract}  ${place}\n  ${message}\n`;
}
