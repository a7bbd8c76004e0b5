import { fileURLToPath } from 'node:url';
import { type Contracts, documentOf, schemaOf } from './contracts.ts';
import type { Finding } from './finding.ts';
import { redocly } from './redocly.ts';
import { restFindings } from './rest-rules.ts';
import { sdlFindings } from './sdl-rules.ts';

const config = fileURLToPath(new URL('./redocly.yaml', import.meta.url));

/** What the rules for both contracts find: Redocly's, and our own. */
export function lintContracts(contracts: Contracts): Finding[] {
  return [
    ...redoclyFindings(contracts.openapi),
    ...restFindings(documentOf(contracts)),
    ...sdlFindings(schemaOf(contracts)),
  ];
}

/** What Redocly tells of one problem, as far as it is read here. */
type Problem = {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
};

function redoclyFindings(openapi: string): Finding[] {
  const files = { 'openapi.yaml': openapi };
  // The report's shape is Redocly's.
  const { problems } = redocly('lint', files, ['--config', config]) as { problems: Problem[] };
  return problems.map(({ ruleId, message, location }) => ({
    contract: 'openapi.yaml',
    place: location[0]?.pointer ?? '#',
    message: `${message} (${ruleId})`,
  }));
}
