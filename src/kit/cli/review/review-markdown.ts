import type { Review } from './review.ts';
import { listText } from './schema-text.ts';
import type { Section } from './sections.ts';
import { counted } from './verdict.ts';

const signs = { breaking: '🔴', decision: '🟠', safe: '🟢' } as const;
const MOST = 8;

/** A comment on a pull request: a screen long, the rest folded. */
export function reviewMarkdown(review: Review): string {
  const { verdict, sentences, problems, sections, changelog } = review;
  const real = sections.filter(({ changes }) => changes.some(({ isWording }) => !isWording));
  const harm = review.noticed.map(({ level, text }) => `- ${signs[level]} ${plain(text)}\n`);
  return [
    `## ${signs[verdict.level]} ${verdict.label}: ${plain(`${review.title}, ${review.from} → ${review.to}`)}\n`,
    verdict.reasons.length > 0 ? `**${plain(capital(verdict.reasons.join('; ')))}.**\n` : '',
    sentences.map((each) => `- ${plain(each)}\n`).join(''),
    review.asBefore.length > 0 ? `${review.asBefore.join(' ')}\n` : '',
    `${verdict.counts}\n`,
    problems.length > 0
      ? `### To decide\n\n${problems.slice(0, MOST).map(problemLine).join('')}${more(problems.length)}`
      : '',
    harm.length > 0
      ? `### What clients notice\n\n${harm.slice(0, MOST).join('')}${more(harm.length)}`
      : '',
    real.length > 0
      ? folded(
          `All ${counted(real.length, 'part that changed', 'parts that changed')}`,
          real.map(sectionText).join('\n'),
        )
      : '',
    methodsText(review),
    review.graphqlOperations.length > 0
      ? folded(
          'GraphQL operations of this project that use what changed',
          review.graphqlOperations.map((each) => `- \`${each}\`\n`).join(''),
        )
      : '',
    changelog ? folded('Draft for the changelog', `\`\`\`markdown\n${changelog}\`\`\`\n`) : '',
  ]
    .filter(Boolean)
    .join('\n');
}

function problemLine({ source, message, at, accepted }: Review['problems'][number]): string {
  return `- **${source}**: ${plain(message)}${acceptedText(accepted)} ${placeText(at)}\n`;
}

function more(count: number): string {
  return count > MOST ? `- … and ${count - MOST} more, below\n` : '';
}

export function acceptedText(accepted: Review['exceptions'][number] | undefined): string {
  return accepted
    ? ` _Accepted by ${accepted.owner} until ${accepted.expires}: ${accepted.reason}_`
    : '';
}

function placeText(at: string): string {
  return at ? `(\`${at}\`)` : '';
}

function sectionText({ subject, level, changes, rows, reach, use }: Section): string {
  const told = changes.filter(({ isWording }) => !isWording);
  const table = rows
    .slice(0, 20)
    .map(
      ({ name, before, after, mark }) =>
        `| ${mark} | \`${name}\` | ${cell(before)} | ${cell(after)} |\n`,
    );
  return [
    `#### ${signs[level]} \`${subject.name}\`\n\n`,
    told
      .map((each) => `- ${each.message}${acceptedText(each.accepted)} ${placeText(each.at)}\n`)
      .join(''),
    reach.sentIn.length > 0 ? `- Sent in ${listText(reach.sentIn, 8)}.\n` : '',
    reach.answeredBy.length > 0 ? `- Answered by ${listText(reach.answeredBy, 8)}.\n` : '',
    use
      ? `- Used ${use.count.toLocaleString('en-US')} times${use.last ? `, last on ${use.last}` : ''}\n`
      : '',
    table.length > 0
      ? `\n| | part | before | after |\n| --- | --- | --- | --- |\n${table.join('')}`
      : '',
  ].join('');
}

function methodsText({ methods }: Review): string {
  if (methods.length === 0) return '';
  const lines = methods
    .slice(0, 40)
    .flatMap(({ before, after }) => [
      ...(before ? [`- ${before.typescript}\n- ${before.python}\n`] : []),
      ...(after ? [`+ ${after.typescript}\n+ ${after.python}\n`] : []),
    ]);
  return folded(
    `${counted(methods.length, 'SDK method', 'SDK methods')}, TypeScript and Python`,
    `\`\`\`diff\n${lines.join('')}\`\`\`\n`,
  );
}

/** Words of a contract without markup; code between backticks shows as it is. */
function plain(text: string): string {
  const parts = text.replaceAll(/\s+/g, ' ').split('`');
  return parts.map((part, i) => (i % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('`');
}

function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n</details>\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ') || '—';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
