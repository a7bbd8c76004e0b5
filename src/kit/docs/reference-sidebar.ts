import { type Markup, markup } from './markup.ts';
import { mockedBadge } from './mocked-marks.ts';
import type { ReferenceEntry } from './reference-entries.ts';

/** Of a larger contract, the sidebar has the operations of one group, and the names of the others. */
const MOST_LINKS = 200;

export const groupId = (group: string) => `group-${group.replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')}`;

/** The operations beside a page of the reference, and a search through all of them. */
export function referenceSidebar(
  entries: readonly ReferenceEntry[],
  current: ReferenceEntry | undefined,
  schemas: number,
): Markup {
  const isSmall = entries.length <= MOST_LINKS;
  // A mark on everything would tell nothing apart.
  const hasMarks = !entries.every(({ isMocked, isSent }) => isMocked || isSent);
  const groups = [...Map.groupBy(entries, ({ group }) => group)].map(([group, all]) => {
    const links = isSmall || group === current?.group ? linksOf(all, current, hasMarks) : '';
    return markup`<p class="group"><a href="/docs/rest#${groupId(group)}">${group}</a>${
      links === '' ? markup` <span class="count">${all.length}</span>` : ''
    }</p>${links}\n`;
  });
  const others =
    schemas > 0 ? markup`<p class="group"><a href="/docs/rest#schemas">Schemas</a></p>` : '';
  return markup`<nav class="sidebar" aria-label="Reference">
<label class="unseen" for="search">Search operations and schemas</label>
<input id="search" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false" data-index="/docs/rest.json">
<ul class="results" hidden></ul>
<button class="menu" type="button" aria-expanded="false" aria-controls="groups">Operations</button>
<div id="groups" class="groups">${groups}${others}</div>
</nav>`;
}

function linksOf(
  entries: readonly ReferenceEntry[],
  current: ReferenceEntry | undefined,
  hasMarks: boolean,
): Markup {
  return markup`<ul>${entries.map(
    (
      entry,
    ) => markup`<li><a href="${entry.href}"${entry === current ? markup` aria-current="page"` : ''}>
<span class="method ${entry.operation.method.toLowerCase()}">${entry.operation.method}</span> <span>${entry.title}${mockedBadge(hasMarks && entry.isMocked)}</span></a></li>\n`,
  )}</ul>`;
}
