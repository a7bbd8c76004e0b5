/** One line of progress, overwritten on a terminal. */
export function createProgress() {
  const { stderr } = process;
  const start = Date.now();
  let last = '';

  function say(text: string): void {
    if (stderr.isTTY) stderr.write(`\r\x1b[K${text.slice(0, stderr.columns - 1)}`);
    else if (text !== last) stderr.write(`${text}\n`);
    last = text;
  }

  return {
    say,
    /** How much of the run is done, what it is at, and with which server. */
    part(part: number, stage: string, server: string): void {
      const spent = Math.round((Date.now() - start) / 1000);
      const filled = Math.round(part * 20);
      const bar = '█'.repeat(filled) + '░'.repeat(20 - filled);
      // In a file a line for each server would be too many.
      const inFile = `${Math.floor(part * 10) * 10} %, ${stage.split(':')[0]}`;
      say(stderr.isTTY ? `${bar} ${spent} s, ${stage}, ${server}` : inFile);
    },
    end(): void {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
