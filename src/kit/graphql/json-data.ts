import { CHARACTERS_PER_FIELD } from './answer-budget.ts';
import type { AnswerCosts } from './limits/check.ts';
import type { Plan } from './statement-plan.ts';

/** The `data` of an answer as JSON text. */
export type JsonData = {
  readonly json: string;
  readonly fields: number;
  /** How many of the fields have records. */
  readonly places: number;
};

/** A colon follows the quote at the end of a name; in texts, one that is escaped, or that begins the text. */
export function measured(json: string): JsonData {
  let fields = 0;
  let places = 0;
  for (let i = json.indexOf(':'); i !== -1; i = json.indexOf(':', i + 1)) {
    const before = json[i - 2];
    if (json[i - 1] !== '"' || before === '\\' || before === ':') continue;
    fields++;
    if (json[i + 1] === '[' || json[i + 1] === '{') places++;
  }
  return { json, fields, places };
}

/** At least what the answer budget charges, where so many bytes may be unread in each place. */
export function costOf(
  data: JsonData,
  { lists }: Plan,
  costs: AnswerCosts,
  unread: number,
): number {
  let ofField = 1;
  for (const { coordinate, fields } of lists) {
    const { ofRecord } = costs.ofList.get(coordinate) ?? { ofRecord: 1 };
    ofField = Math.max(ofField, ofRecord / Math.max(fields, 1));
  }
  const characters = data.json.length + data.places * unread;
  return costs.copies * (ofField * data.fields + characters / CHARACTERS_PER_FIELD);
}
