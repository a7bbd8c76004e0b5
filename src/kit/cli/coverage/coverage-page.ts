import type { Part, Report, Section } from './coverage-report.ts';

/** The report as a page that opens from disk. */
export function page({ version, sections }: Report): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Contract coverage</title>
<style>${style}</style>
<h1>Contract coverage</h1>
<p>Which parts of both contracts (version ${html(version)}) the tests asked the server for, and by how many requests.</p>
<table>
<tr><th>Part<th>Exercised<th>Never<th>Not reachable by a client</tr>
${sections.map(summary).join('\n')}
</table>
${sections.map(details).join('\n')}
</html>
`;
}

/** Of the reports. */
export const style = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #444); --bad: light-dark(#b00020, #ff8a8a); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.never td { color: var(--bad); font-weight: 600; }
tr.outside td { opacity: .7; }
code { font-family: ui-monospace, monospace; }
`;

function summary({ title, parts }: Section): string {
  const reachable = parts.filter(({ reason }) => !reason);
  const never = reachable.filter(({ count }) => count === 0).length;
  const cells = [reachable.length - never, never, parts.length - reachable.length];
  const numbers = cells.map((cell) => `<td class="number">${cell}`).join('');
  return `<tr${never ? ' class="never"' : ''}><td>${html(title)}${numbers}</tr>`;
}

function details({ title, parts }: Section): string {
  const rows = parts.toSorted((a, b) => rank(a) - rank(b)).map(row);
  return `<h2>${html(title)}</h2>
<table>
<tr><th>Part<th>Requests<th>Why none can</tr>
${rows.join('\n')}
</table>`;
}

/** Never exercised first, unreachable last. */
function rank({ count, reason }: Part): number {
  if (reason) return 2;
  return count > 0 ? 1 : 0;
}

function row({ name, count, reason }: Part): string {
  const kind = reason ? 'outside' : count > 0 ? 'exercised' : 'never';
  const cells = `<td><code>${html(name)}</code><td class="number">${count}<td>${html(reason ?? '')}`;
  return `<tr class="${kind}">${cells}</tr>`;
}

export function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
