import { isObject } from '../../contract/openapi-document.ts';
import { WrongUse } from '../command.ts';
import type { Finding, Found, Severity } from './finding.ts';

/** What a project wants of the linter: the key `accord.lint` in package.json. */
export type LintSettings = {
  /** What it says of each rule that it names, wherever that is; places aside. */
  readonly named: ReadonlyMap<string, Severity | 'off'>;
  /** The rules it names, at places or everywhere. */
  readonly rules: readonly string[];
  /** Whether a rule may find something. */
  isOn(rule: string, severity: Severity | 'off'): boolean;
  /** A finding with the severity that the project gives it; none where it is off. */
  judged(found: Found): Finding[];
};

type Places = readonly (readonly [place: string, severity: Severity | 'off'])[];

/**
 * Reads the settings: `"<rule>": "error"`, `"warning"` or `"off: <reason>"`, or the same for each place that starts
 * with a JSON pointer or a schema coordinate; `*` stands for the rules that are not named.
 */
export function lintSettings(given: unknown = {}): LintSettings {
  if (!isObject(given)) throw new WrongUse('accord.lint in package.json must be an object');
  const named = new Map<string, Severity | 'off'>();
  const placed = new Map<string, Places>();
  for (const [rule, value] of Object.entries(given)) {
    if (typeof value === 'string') named.set(rule, severityIn(value, rule));
    else {
      const places = Object.entries(Object(value));
      placed.set(
        rule,
        places.map(([place, each]) => [place, severityIn(each, `${rule} at ${place}`)]),
      );
    }
  }
  const everywhere = (rule: string, severity: Severity | 'off') =>
    named.get(rule) ?? named.get('*') ?? severity;
  return {
    named: new Map([...named].filter(([rule]) => rule !== '*')),
    rules: Object.keys(given).filter((rule) => rule !== '*'),
    isOn: (rule, severity) => placed.has(rule) || everywhere(rule, severity) !== 'off',
    judged(found) {
      const { rule, place } = found;
      const [, here] = placed.get(rule)?.find(([start]) => isWithin(place, start)) ?? [];
      const severity = here ?? everywhere(rule, found.severity);
      return severity === 'off' ? [] : [{ ...found, severity }];
    },
  };
}

function severityIn(value: unknown, rule: string): Severity | 'off' {
  if (value === 'error' || value === 'warning') return value;
  if (/^off: *\S/.test(String(value))) return 'off';
  const what = `accord.lint in package.json: ${rule}`;
  if (/^off\b/.test(String(value)))
    throw new WrongUse(`${what} is off without a reason: write "off: <reason>"`);
  throw new WrongUse(`${what} takes "error", "warning" or "off: <reason>"`);
}

function isWithin(place: string, start: string): boolean {
  return place === start || (place.startsWith(start) && /^[/.(]/.test(place.slice(start.length)));
}
