import { type Client, escapeLiteral } from 'pg';
import { ApiError } from '../../errors.ts';
import { failed, type Migration, ownTransaction } from '../migrations.ts';
import { apiError } from './postgres-failure.ts';

/** Runs a migration within the transaction of a client, which it cannot end. */
export async function runMigration(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query(withinTransaction(migration.sql));
  } catch (cause) {
    const error = apiError(cause);
    if (error instanceof ApiError && error.code === 'unavailable') throw error;
    throw failed(migration, isTransactionCommand(cause) ? ownTransaction() : error);
  }
}

// EXECUTE runs any number of statements and refuses transaction commands. It also refuses a text that begins with
// S, for SELECT, and makes a table of a query: hence the semicolon.
function withinTransaction(sql: string): string {
  return `DO ${escapeLiteral(`BEGIN EXECUTE ${escapeLiteral(`;${sql}`)}; END`)}`;
}

/** Messages are in the language of the server; COPY is the other thing that EXECUTE does not do. */
function isTransactionCommand(error: unknown): boolean {
  const { code, routine, message } = Object(error);
  return code === '0A000' && routine === 'exec_stmt_dynexecute' && !message.includes('COPY');
}
