import type { Contract } from '../contract/contract.ts';
import type { MockedParts } from '../mocked-parts.ts';
import type { Page } from './docs-page.ts';
import { markup } from './markup.ts';
import { mockedLine } from './mocked-marks.ts';

/** Swagger UI, told by rest.js where the contract is and which operations are mocked. */
export function restPage({ operations }: Contract, mocked: MockedParts | undefined): Page {
  // A contract may leave ids out.
  const paths = operations
    .filter(({ id }) => mocked?.operations.has(id))
    .map(({ method, path }) => `${method.toLowerCase()} ${path}`);
  return {
    title: 'REST reference',
    isWide: true,
    styles: ['swagger-ui.css', 'rest.css'],
    scripts: ['swagger-ui-bundle.js', 'rest.js'],
    body: markup`<h1 class="unseen">REST reference</h1>${mockedLine(mocked)}<div id="reference"${
      mocked ? markup` data-mocked="${JSON.stringify(paths)}"` : ''
    }>Loading the reference …</div>`,
  };
}

/** GraphiQL, given its first tabs by graphiql.js. */
export const graphiqlPage: Page = {
  title: 'GraphiQL',
  isWide: true,
  styles: ['graphiql.min.css', 'graphiql.css'],
  scripts: [
    'react.production.min.js',
    'react-dom.production.min.js',
    'graphiql.min.js',
    'graphiql.js',
  ],
  body: markup`<h1 class="unseen">GraphiQL</h1><div id="graphiql">Loading GraphiQL …</div>`,
};
