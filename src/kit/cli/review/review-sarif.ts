import type { Review } from './review.ts';

type Entry = {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly at: string;
  readonly accepted: Review['exceptions'][number] | undefined;
};

const levels = { breaking: 'error', decision: 'warning', safe: 'note' } as const;

/** SARIF 2.1.0, which code hosts show beside the lines of the contracts. */
export function reviewSarif({ changes, problems }: Review): string {
  const entries: Entry[] = [
    ...changes
      .filter(({ isWording }) => !isWording)
      .map(({ level, ...change }) => ({ ...change, level: levels[level] })),
    ...problems.map((problem) => ({ ...problem, level: 'error' as const })),
  ];
  const rules = [...new Set(entries.map(({ rule }) => rule))].map((id) => ({ id }));
  const driver = {
    name: 'accord review',
    informationUri: 'https://www.npmjs.com/package/accord',
    rules,
  };
  const report = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results: entries.map(resultOf) }],
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function resultOf({ rule, level, message, at, accepted }: Entry) {
  const [, file = at, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(at) ?? [];
  const location = {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(file) },
      ...(line && { region: { startLine: Number(line) } }),
    },
  };
  return {
    ruleId: rule,
    level,
    message: { text: message.replaceAll('`', '') },
    locations: file ? [location] : [],
    ...(accepted && {
      suppressions: [
        {
          kind: 'external',
          justification: `${accepted.reason} (${accepted.owner}, until ${accepted.expires})`,
        },
      ],
    }),
  };
}
