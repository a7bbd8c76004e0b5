import { Kind, parse } from 'graphql';

/** An operation to start from, with the variables it takes. */
export type Example = {
  readonly name: string;
  readonly about: string;
  readonly query: string;
  readonly variables: string;
};

/** The operations of a document whose comments say what each is for and what its variables are. */
export function examplesIn(text: string): Example[] {
  let end = 0;
  return parse(text).definitions.flatMap((definition) => {
    const { loc } = definition;
    if (definition.kind !== Kind.OPERATION_DEFINITION || !loc) return [];
    // Of the comments before an operation, those after the last blank line are about it.
    const comments =
      text
        .slice(end, loc.start)
        .trim()
        .split(/\n\s*\n/)
        .at(-1) ?? '';
    end = loc.end;
    const about = comments.split('\n')[0]?.replace(/^# /, '') ?? '';
    const [, variables = ''] = comments.match(/^# variables (.*)$/m) ?? [];
    const query = `${about && `# ${about}\n`}${text.slice(loc.start, loc.end)}\n`;
    return [{ name: definition.name?.value ?? '', about, query, variables: indented(variables) }];
  });
}

function indented(json: string): string {
  return json && JSON.stringify(JSON.parse(json), null, 2);
}
