import type { Page } from './docs-page.ts';
import { markup } from './markup.ts';

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
