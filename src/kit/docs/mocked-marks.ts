import type { MockedParts } from '../mocked-parts.ts';
import { type Markup, markup } from './markup.ts';

/** How much is mocked. */
export function mockedLine(mocked: MockedParts | undefined): Markup | '' {
  return mocked ? markup`<p class="mocks">${mocked.line}.</p>` : '';
}

/** Stands beside what is mocked. */
export function mockedBadge(isMocked: boolean | undefined): Markup | '' {
  return isMocked ? markup` <span class="mark mocked">mocked</span>` : '';
}

export function deprecatedBadge(isDeprecated: boolean): Markup | '' {
  return isDeprecated ? markup` <span class="mark deprecated">deprecated</span>` : '';
}

/** The fields that are mocked, where there are any. */
export function mockedFields(mocked: MockedParts | undefined): Markup | '' {
  if (!mocked || mocked.fields.size === 0) return '';
  const items = [...mocked.fields].map(
    (each) => markup`<li><a href="#${each}"><code>${each}</code></a></li>\n`,
  );
  return markup`<section class="mocks" aria-labelledby="mocked"><h2 id="mocked">Mocked fields</h2>
<p>${mocked.line}. So are the fields below these that their records lack.</p><ul class="names">${items}</ul></section>`;
}
