import { createContractParts } from '../../contract/contract-parts.ts';
import { readSource } from '../../contract/contract-source.ts';
import { isAddress } from '../../contract/file-references.ts';
import { createFileResolver } from '../../contract/file-resolver.ts';
import { pointer } from '../../contract/openapi-document.ts';
import { type Contracts, shownFile } from './contract-texts.ts';
import type { Found } from './finding.ts';
import type { LintSettings } from './lint-settings.ts';

/** What Redocly's rules find in an OpenAPI description, and how a part of it is found in its file. */
export type RedoclyReport = {
  readonly found: readonly Found[];
  /** The rules that there are. */
  readonly rules: ReadonlySet<string>;
  /** The file, line and column of what a JSON pointer tells, or of the nearest part around it. */
  locate(pointer: string): string;
};

export async function redoclyReport(
  { openapi, files }: Contracts,
  settings: LintSettings,
): Promise<RedoclyReport> {
  const { createConfig, getLineColLocation, lintDocument, Source } = await import(
    '@redocly/openapi-core'
  );
  // Many contracts leave it to the server's configuration who may do what.
  const preset = await createConfig({ extends: ['recommended'] });
  const known = new Set(Object.values(preset.rules).flatMap((each) => Object.keys(each)));
  const rules = { 'security-defined': 'warn', ...severities(settings, known) } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const file = files?.openapi ?? 'openapi.yaml';
  const source = new Source(file, openapi);
  const written = readSource(openapi, shownFile(file));
  const parts = createContractParts(file, openapi, written);
  const { resolver, fileOf } = await createFileResolver(parts);
  const problems = await lintDocument({
    document: { source, parsed: written.value },
    config,
    externalRefResolver: resolver,
  });
  const shown = (location: Parameters<typeof getLineColLocation>[0]) => {
    const { line, col } = getLineColLocation(location).start;
    return `${shownFile(fileOf(location.source.absoluteRef))}:${line}:${col}`;
  };
  // The reader has refused the addresses that are no data.
  const isOfData = ({ ruleId, location: [at] }: (typeof problems)[number]) => {
    if (ruleId !== 'no-unresolved-refs' || !at) return false;
    const path = pointer(at.pointer ?? '');
    const part = parts.partAt({ file: fileOf(at.source.absoluteRef), path });
    return isAddress(String(Object(part).$ref));
  };
  return {
    rules: known,
    locate: (pointer) => shown({ source, pointer, reportOnKey: true }),
    found: problems
      .filter((each) => !isOfData(each))
      .map(({ ruleId, severity, message, location: [first] }) => ({
        rule: ruleId,
        severity: severity === 'error' ? 'error' : 'warning',
        at: first ? shown(first) : shownFile(file),
        place: first?.pointer ?? '#',
        message: message.replaceAll(/\s+/g, ' '),
      })),
  };
}

function severities(
  { named }: LintSettings,
  known: ReadonlySet<string>,
): Record<string, 'error' | 'warn' | 'off'> {
  const values = [...named]
    .filter(([rule]) => known.has(rule))
    .map(([rule, severity]) => [rule, severity === 'warning' ? 'warn' : severity] as const);
  return Object.fromEntries(values);
}
