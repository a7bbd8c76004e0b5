import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { html, style } from '../coverage/coverage-page.ts';
import type { Section } from '../coverage/coverage-report.ts';
import type { Breach, Breaches, BreachKind } from './breaches.ts';
import type { Traffic } from './checks.ts';

/** What a proxy has seen, in the form of the coverage report. */
export type DriftReport = {
  readonly address: string;
  /** Whether nothing broke the contracts. */
  readonly isKept: boolean;
  readonly requests: number;
  readonly unread: number;
  readonly sections: readonly (Section | BreachSection)[];
};

type BreachSection = {
  readonly title: string;
  readonly isRequired: true;
  readonly parts: readonly BreachPart[];
};
type BreachPart = BreachKind & { readonly name: string };

export function driftReport(address: URL, breaches: Breaches, traffic: Traffic): DriftReport {
  const kinds = breaches.kinds();
  const ofSide = (side: Breach['side'], title: string): BreachSection => ({
    title,
    isRequired: true,
    parts: kinds
      .filter((kind) => kind.side === side)
      .map((kind) => ({ name: `${kind.operation}: ${kind.place} ${kind.message}`, ...kind })),
  });
  const further = breaches.further();
  const answers = [...traffic.answers].map(([name, count]) => ({ name, count }));
  return {
    address: `${address.origin}${address.pathname}`,
    isKept: kinds.length === 0,
    requests: traffic.requests,
    unread: traffic.unread,
    sections: [
      ofSide('request', 'Requests that break the contract'),
      ofSide('answer', 'Answers that break the contract'),
      ...(further > 0
        ? [{ title: 'Further', isRequired: true, parts: [{ name: 'other kinds', count: further }] }]
        : []),
      {
        title: 'Operation and status',
        isRequired: false,
        parts: answers.toSorted((a, b) => a.name.localeCompare(b.name)),
      },
    ],
  };
}

/** Writes `<name>.html` and `<name>.json`; gives the place of the page. */
export function writeReport(report: DriftReport, file: string): string {
  const name = file.replace(/\.(html|json)$/, '');
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${name}.html`, page(report));
  return `${name}.html`;
}

/** The report in lines. */
export function reportLines({ requests, unread, isKept, sections }: DriftReport): string[] {
  const breaches = sections.filter(({ isRequired }) => isRequired);
  const lines = breaches.flatMap(({ title, parts }) => [
    `${title}: ${parts.length}`,
    ...parts.map(({ count, name }) => `  ${count} × ${name}`),
  ]);
  const notRead = unread > 0 ? `; ${unread} bodies were too long to be checked` : '';
  const kept = isKept ? ': none broke the contracts' : '';
  return [`${requests} requests${kept}${notRead}`, ...(isKept ? [] : lines)];
}

function page({ address, requests, unread, sections }: DriftReport): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Contract drift</title>
<style>${style}</style>
<h1>Contract drift</h1>
<p>What of ${requests} requests to ${html(address)}, and of their answers, breaks the contracts. ${unread} bodies were
too long to be checked.</p>
${sections.map(table).join('\n')}
</html>
`;
}

function table({ title, isRequired, parts }: DriftReport['sections'][number]): string {
  const rows = parts.map((part) => {
    const example = 'example' in part ? part.example : '';
    const cells = `<td><code>${html(part.name)}</code><td class="number">${part.count}`;
    return `<tr${isRequired ? ' class="never"' : ''}>${cells}<td>${html(example)}</tr>`;
  });
  return `<h2>${html(title)}</h2>
<table>
<tr><th>Part<th>Exchanges<th>The first</tr>
${rows.join('\n')}
</table>`;
}
