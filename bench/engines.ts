import type { Size } from './data.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Where databases of one engine come from. */
export type Source = {
  /** The address of an empty database. */
  create(name: string): Promise<string>;
  /** Fills a migrated database with as much as there should be. */
  fill(url: string, size: Size): Promise<void>;
  /** The address of a copy of it, which replaces an earlier one of the same name. */
  copy(url: string, name: string): Promise<string>;
  /** The process whose children are the database's, where it has processes of its own. */
  readonly cluster: number | undefined;
  remove(): Promise<void>;
};
