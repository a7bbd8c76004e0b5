/** A statement whose parameters `$1`, `$2` are written in another way; texts and names in quotes stay as they are. */
export function withParameters(sql: string, written: (number: string) => string): string {
  return sql.replaceAll(/'[^']*'|"[^"]*"|\$(\d+)/g, (text, number) =>
    number ? written(number) : text,
  );
}
