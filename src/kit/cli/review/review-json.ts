import type { Review } from './review.ts';

/** The whole review as data; its version is that of this form. */
export function reviewJson(review: Review): string {
  const { sections, ...rest } = review;
  const parts = sections.map(({ changes, exchange, lines, ...section }) => section);
  return `${JSON.stringify({ reviewVersion: 1, ...rest, parts }, null, 2)}\n`;
}
