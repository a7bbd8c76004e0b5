import { inline } from '../../docs/markdown.ts';
import { type Markup, markup } from '../../docs/markup.ts';
import type { Message } from './exchanges.ts';
import type { Section } from './sections.ts';
import { counted } from './verdict.ts';

const words = { breaking: 'breaking', decision: 'decide', safe: 'safe' } as const;

/** One operation or type, folded unless a client may notice. */
export function sectionMarkup(section: Section, link: (at: string) => Markup): Markup {
  const { subject, contract, level, readers, changes } = section;
  const told = changes.filter(({ isWording }) => !isWording);
  return markup`<details class="part ${level}" data-readers="${readers.join(' ')}"${{ html: level === 'safe' ? '' : ' open' }}>
<summary><span class="level">${words[level]}</span> <code>${subject.name}</code> <span class="soft">${contract === 'GraphQL' ? 'GraphQL' : 'REST'}, ${counted(told.length, 'change', 'changes')}</span></summary>
<ul>${told.map(
    ({ message, at, accepted, level, readers }) =>
      markup`<li class="${level}" data-level="${level}" data-readers="${readers.join(' ')}">${inline(message)} ${link(at)}${accepted ? markup` <em>Accepted by ${accepted.owner} until ${accepted.expires}: ${accepted.reason}</em>` : ''}</li>`,
  )}</ul>
${reachMarkup(section)}
${rowsMarkup(section)}
${exchangeMarkup(section)}
${methodsMarkup(section)}
${linesMarkup(section)}
</details>
`;
}

function reachMarkup({ reach, use }: Section): Markup {
  const names = (title: string, all: readonly string[]) =>
    all.length === 0
      ? ''
      : markup`<p class="reach">${title} ${all.slice(0, 40).map((each) => markup`<code>${each}</code> `)}${all.length > 40 ? `and ${all.length - 40} more` : ''}</p>`;
  return markup`${names('Sent in', reach.sentIn)}${names('Answered by', reach.answeredBy)}${
    use
      ? markup`<p>Used ${use.count.toLocaleString('en-US')} times${use.last ? `, last on ${use.last}` : ''}.</p>`
      : ''
  }`;
}

function rowsMarkup({ rows, unchanged }: Section): Markup {
  if (rows.length === 0) return markup``;
  return markup`<table class="rows"><thead><tr><th>Now</th><th>Part</th><th>Before</th><th>After</th></tr></thead><tbody>${rows.map(
    ({ name, before, after, mark }) =>
      markup`<tr class="${mark}"><td><span class="mark">${mark}</span></td><td><code>${name}</code></td><td>${before ? markup`<del>${before}</del>` : '—'}</td><td>${after ? markup`<ins>${after}</ins>` : '—'}</td></tr>`,
  )}</tbody></table>${unchanged > 0 ? markup`<p class="soft">${unchanged} other ${unchanged === 1 ? 'part is' : 'parts are'} as before.</p>` : ''}`;
}

function exchangeMarkup({ exchange }: Section): Markup {
  if (!exchange) return markup``;
  const side = (title: string, message: Message | undefined) =>
    markup`<div><h4>${title}${message?.isMock ? markup` <span class="soft">made from the contract</span>` : ''}</h4>${
      message
        ? markup`<pre>${message.request}</pre><pre>${message.answer}</pre>`
        : markup`<p class="soft">There is none.</p>`
    }</div>`;
  return markup`<details><summary>Request and answer, before and after</summary><div class="sides">${side('Before', exchange.before)}${side('After', exchange.after)}</div></details>`;
}

function methodsMarkup({ methods }: Section): Markup {
  if (methods.length === 0) return markup``;
  return markup`<details><summary>SDK, before and after</summary>${methods.map(
    ({ before, after }) =>
      (['typescript', 'python'] as const).map(
        (language) =>
          markup`<h4>${language === 'python' ? 'Python' : 'TypeScript'}</h4><pre>${before ? markup`<del>- ${before[language]}</del>\n` : ''}${after ? markup`<ins>+ ${after[language]}</ins>` : ''}</pre>`,
      ),
  )}</details>`;
}

function linesMarkup({ lines }: Section): Markup {
  if (lines.length === 0) return markup``;
  return markup`<details><summary>Lines of the contract</summary><pre>${lines
    .slice(0, 400)
    .map(({ sign, text }) => {
      if (sign === '-') return markup`<del>- ${text}</del>\n`;
      return sign === '+' ? markup`<ins>+ ${text}</ins>\n` : `  ${text}\n`;
    })}${lines.length > 400 ? '…' : ''}</pre></details>`;
}
