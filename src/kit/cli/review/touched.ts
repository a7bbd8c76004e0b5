import { listText } from './schema-text.ts';
import type { MethodChange } from './sdk-diff.ts';
import type { Section } from './sections.ts';
import { counted } from './verdict.ts';

/** Whom the changes touch, in a sentence; none where nobody is. */
export function touchedSentence(
  sections: readonly Section[],
  methods: readonly MethodChange[],
  graphqlOperations: readonly string[],
): string[] {
  const operations = touchedOperations(sections);
  if (operations.length + methods.length + graphqlOperations.length === 0) return [];
  const parts = [
    counted(operations.length, 'operation', 'operations'),
    ...(methods.length > 0
      ? [
          `${counted(methods.length, 'method', 'methods')} of the SDKs (${listText(
            methods.map(({ name }) => name),
            3,
          )})`,
        ]
      : []),
    ...(graphqlOperations.length > 0
      ? [
          `the GraphQL ${graphqlOperations.length === 1 ? 'operation' : 'operations'} ${listText(graphqlOperations, 3)}`,
        ]
      : []),
  ];
  return [`Touched: ${parts.join(', ')}.`];
}

/** The operations that changed or that a changed type reaches, words aside. */
export function touchedOperations(sections: readonly Section[]): string[] {
  const real = sections.filter(({ changes }) => changes.some(({ isWording }) => !isWording));
  const names = real.flatMap(({ subject, reach }) =>
    subject.kind === 'operation' ? [subject.name] : [...reach.sentIn, ...reach.answeredBy],
  );
  return [...new Set(names)];
}
