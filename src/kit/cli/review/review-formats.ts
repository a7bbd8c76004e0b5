import type { Review } from './review.ts';
import { reviewHtml } from './review-html.ts';
import { reviewJson } from './review-json.ts';
import { reviewJunit } from './review-junit.ts';
import { reviewMarkdown } from './review-markdown.ts';
import { reviewSarif } from './review-sarif.ts';

/** A review in one of its forms; `file` is where it is written, from which links lead. */
export function formatted(
  review: Review,
  format: 'html' | 'markdown' | 'json' | 'junit' | 'sarif',
  file: string,
): string {
  switch (format) {
    case 'html':
      return reviewHtml(review, file);
    case 'markdown':
      return reviewMarkdown(review);
    case 'json':
      return reviewJson(review);
    case 'junit':
      return reviewJunit(review);
    case 'sarif':
      return reviewSarif(review);
  }
}
