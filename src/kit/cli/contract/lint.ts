import { fileURLToPath } from 'node:url';
import { type Contracts, documentOf, schemaOf } from './contracts.ts';
import type { Finding } from './finding.ts';
import { createPatternCheck } from './linear-pattern.ts';
import { redocly } from './redocly.ts';
import { restFindings } from './rest-rules.ts';
import { sdlFindings } from './sdl-rules.ts';

const config = fileURLToPath(new URL('./redocly.yaml', import.meta.url));

/** The findings of Redocly's rules and of our own, in both contracts. */
export function lintContracts(contracts: Contracts, check = createPatternCheck()): Finding[] {
  return [...redoclyFindings(contracts.openapi), ...ownFindings(contracts, check)];
}

export function ownFindings(contracts: Contracts, check = createPatternCheck()): Finding[] {
  return [
    ...restFindings(documentOf(contracts), check),
    ...sdlFindings(schemaOf(contracts), check),
  ];
}

/** What Redocly tells of one problem, as far as it is read here. */
type Problem = {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
};

export function redoclyFindings(openapi: string): Finding[] {
  const files = { 'openapi.yaml': openapi };
  // The report's shape is Redocly's.
  const { problems } = redocly('lint', files, ['--config', config]) as { problems: Problem[] };
  return problems.map(({ ruleId, message, location }) => ({
    contract: 'openapi.yaml',
    place: location[0]?.pointer ?? '#',
    message: `${message} (${ruleId})`,
  }));
}
