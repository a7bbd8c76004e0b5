import { readSdl } from '../../graphql/sdl-check.ts';
import { WrongUse } from '../command.ts';
import { type Contracts, documentOf, shownFile } from './contract-texts.ts';
import type { Finding, Found } from './finding.ts';
import { createPatternCheck, type PatternCheck } from './linear-pattern.ts';
import { type LintSettings, lintSettings } from './lint-settings.ts';
import { redoclyReport } from './redocly-lint.ts';
import { restRules } from './rest-rules.ts';
import { sdlRules } from './sdl-rules.ts';

const ownRules = [...restRules, ...sdlRules].map(({ id }) => id).concat('sdl-valid');

/** The findings of Redocly's rules and of our own, in both contracts. */
export async function lintContracts(
  contracts: Contracts,
  settings: LintSettings = lintSettings(),
  check: PatternCheck = createPatternCheck(),
): Promise<Finding[]> {
  const rest = await openapiFindings(contracts, settings, check);
  return [...rest, ...sdlFindings(contracts, settings, check)].flatMap(settings.judged);
}

async function openapiFindings(
  contracts: Contracts,
  settings: LintSettings,
  check: PatternCheck,
): Promise<Found[]> {
  const document = documentOf(contracts);
  if (!document) return [];
  const { found, rules, locate } = await redoclyReport(contracts, settings);
  const unknown = settings.rules.find((rule) => !rules.has(rule) && !ownRules.includes(rule));
  if (unknown) throw new WrongUse(`accord.lint in package.json: there is no rule ${unknown}`);
  // Redocly reads Swagger 2.0 and others too.
  if (!String(document.openapi).startsWith('3.')) return [...found];
  const own = restRules
    .filter(({ id, severity }) => settings.isOn(id, severity))
    .flatMap(({ id: rule, severity, find }) =>
      [...find(document, check)].map((each) => ({
        ...{ rule, severity, ...each },
        at: locate(each.place),
      })),
    );
  return [...found, ...own];
}

function sdlFindings(
  { sdl, files }: Contracts,
  settings: LintSettings,
  check: PatternCheck,
): Found[] {
  if (sdl === '') return [];
  const file = shownFile(files?.schema ?? 'schema.graphql');
  const found: Found[] = [];
  const told = (line: string, severity: Found['severity']) => {
    const [, row, column, message = line] =
      line.slice(file.length).match(/^:(\d+):(\d+): (.*)/s) ?? [];
    const at = `${file}:${row ?? 1}:${column ?? 1}`;
    found.push({ rule: 'sdl-valid', severity, at, place: 'schema', message });
  };
  try {
    const { schema } = readSdl(sdl, file, (line) => told(line, 'warning'));
    for (const { id: rule, severity, find } of sdlRules) {
      if (!settings.isOn(rule, severity)) continue;
      for (const { node, place, message } of find(schema, check)) {
        const { line, column } = node?.loc?.startToken ?? { line: 1, column: 1 };
        found.push({ rule, severity, at: `${file}:${line}:${column}`, place, message });
      }
    }
  } catch (error) {
    told(error instanceof Error ? error.message : String(error), 'error');
  }
  return found;
}
