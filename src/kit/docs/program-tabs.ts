import { type Markup, markup } from './markup.ts';
import type { OperationSamples } from './operation-samples.ts';

/** Programs in several languages: one below the other, until the script shows one at a time. */
export function programTabs({ programs, address }: OperationSamples): Markup {
  const sections = Object.entries(programs).map(
    ([
      language,
      text,
    ]) => markup`<section class="program" data-language="${language}" aria-label="${language}">
<pre class="code" tabindex="0" role="region" aria-label="${language} program"><code>${withAddress(text, address)}</code></pre></section>\n`,
  );
  return markup`<section class="sample programs" aria-labelledby="call"><h2 id="call">Call</h2>
${sections}</section>`;
}

/** The script writes the page's own server where the contract's stands. */
function withAddress(text: string, address: string): Markup {
  const parts = text.split(address);
  return markup`${parts.map((part, i) =>
    i === 0 ? part : markup`<span class="address">${address}</span>${part}`,
  )}`;
}
