/** Lines of at most so many characters; what a line is indented by, its continuation is too, and a bit more. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const indent = line.slice(0, line.search(/[^ ]|$/));
    const lines: string[] = [];
    for (const word of line.trim().split(' ')) {
      const last = lines.at(-1);
      if (last === undefined) lines.push(indent + word);
      else if (last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(`${indent && `${indent}  `}${word}`);
    }
    return lines;
  });
}
