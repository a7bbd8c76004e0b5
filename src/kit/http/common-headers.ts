import type { ServerResponse } from 'node:http';

/** An answer and the headers that it carries whoever gives it, as the lines in which they are sent. */
type Carrying = ServerResponse & { common?: string };

export const headerLine = (name: string, value: string | number): string => `${name}: ${value}\r\n`;

/** Makes an answer carry a header, whose value is the server's own: in one line of ASCII, written as it is. */
export function carry(response: Carrying, name: string, value: string): void {
  carryLines(response, headerLine(name, value));
}

/** Makes an answer carry headers whose lines were made before. */
export function carryLines(response: Carrying, lines: string): void {
  response.common = response.common === undefined ? lines : response.common + lines;
}

/** The lines of what an answer is to carry, for whoever writes its head. */
export function carriedLines({ common = '' }: Carrying): string {
  return common;
}

/** What an answer is to carry, as names and values in turn. */
export function carried(response: Carrying): string[] {
  const lines = carriedLines(response).split('\r\n').slice(0, -1);
  return lines.flatMap((line) => {
    const mark = line.indexOf(': ');
    return [line.slice(0, mark), line.slice(mark + 2)];
  });
}

/** Sets what an answer is to carry, for one whose head others write. */
export function setCarried(response: Carrying): void {
  const head = carried(response);
  for (let i = 0; i + 1 < head.length; i += 2) {
    response.setHeader(String(head[i]), String(head[i + 1]));
  }
}
