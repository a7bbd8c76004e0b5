import type { Review } from './review.ts';

/** A test case for each change and each problem; what stops the change is a failure. */
export function reviewJunit({ changes, problems, verdict, version }: Review): string {
  const told = changes.filter(({ isWording }) => !isWording);
  const cases = [
    ...told.map(({ contract, rule, level, message, place, at, accepted }) => {
      const isFailed = level === 'breaking' && !accepted && !version.isMet;
      return testCase(`${contract}.${rule}`, place, isFailed, `${level}: ${message}`, at);
    }),
    ...problems.map(({ source, rule, message, place, at, accepted }) =>
      testCase(`${source}.${rule}`, place, !accepted, message, at),
    ),
  ];
  const failures = cases.filter((text) => text.includes('<failure')).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites tests="${cases.length}" failures="${failures}">\n`,
    `<testsuite name="${escaped(`accord review: ${verdict.label}`)}" tests="${cases.length}" failures="${failures}">\n`,
    ...cases,
    '</testsuite>\n</testsuites>\n',
  ].join('');
}

function testCase(
  kind: string,
  name: string,
  isFailed: boolean,
  message: string,
  at: string,
): string {
  const file = at ? ` file="${escaped(at.split(':')[0] ?? '')}"` : '';
  const head = `<testcase classname="${escaped(kind)}" name="${escaped(name)}"${file}>`;
  const text = escaped(message.replaceAll('`', ''));
  const body = isFailed
    ? `<failure message="${text}">${escaped(at)}</failure>`
    : `<system-out>${text}</system-out>`;
  return `${head}${body}</testcase>\n`;
}

/** XML 1.0 has no control characters. */
function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
