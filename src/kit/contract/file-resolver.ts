import { basename, dirname, extname, join } from 'node:path';
import type { BaseResolver, Document } from '@redocly/openapi-core';
import type { ContractParts } from './contract-parts.ts';
import { fileNamed, isAddress, isDescription } from './file-references.ts';

/** How the bundler reads the files of a contract: never from the network, and each as it was checked. */
export type FileResolver = {
  readonly resolver: BaseResolver;
  /** The first file as the bundler has it. */
  root(): Document;
  /** The file that the bundler knows by a name. */
  fileOf(name: string): string;
};

export async function createFileResolver(parts: ContractParts): Promise<FileResolver> {
  const { BaseResolver, parseYaml, Source } = await import('@redocly/openapi-core');
  const files = new Map<string, string>();
  const fileOf = (name: string) => files.get(name) ?? name;

  // The bundler makes names of components of the names of files.
  function nameOf(file: string): string {
    const [folder, end] = [dirname(file), extname(file)];
    for (let count = 1; ; count++) {
      const suffix = count === 1 ? '' : `-${count}`;
      const name = join(folder, `${componentName(file)}${suffix}${end}`);
      const known = files.get(name);
      if (known === undefined) files.set(name, file);
      if (known === undefined || known === file) return name;
    }
  }

  function document(name: string, text: string): Document {
    return {
      source: new Source(name, text),
      parsed: isDescription(name) ? dataIn(name, text) : text,
    };
  }

  function dataIn(name: string, text: string): unknown {
    try {
      // The reader has refused what is too deep.
      return parseYaml(text, { maxDepth: Number.MAX_SAFE_INTEGER }) ?? null;
    } catch (error) {
      const { reason, mark } = Object(error);
      const { line, column } = Object(mark);
      const { file } = parts.sourceOf(fileOf(name));
      throw new Error(`${file}:${line + 1}:${column + 1}: not YAML: ${reason}`);
    }
  }

  const resolver = Object.assign(new BaseResolver(), {
    resolveExternalRef(base: string | null, ref: string): string {
      return isAddress(ref) ? ref : nameOf(fileNamed(fileOf(String(base)), ref));
    },
    async loadExternalRef(name: string) {
      if (isAddress(name)) throw new Error('addresses are not fetched');
      const file = fileOf(name);
      // What is wrong in it is told with its place there.
      if (isDescription(file)) parts.sourceOf(file);
      return new Source(name, parts.textOf(file));
    },
    parseDocument: ({ absoluteRef, body }: { absoluteRef: string; body: string }) =>
      document(absoluteRef, body),
  });
  const root = () => document(nameOf(parts.root), parts.textOf(parts.root));
  return { resolver, fileOf, root };
}

/** The name that a whole file has as a component. */
export function componentName(file: string): string {
  return basename(file, extname(file)).replaceAll(/[^\w.-]/g, '-');
}
