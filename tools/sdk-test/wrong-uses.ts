/** A line that must not compile, and what the compiler must complain of. */
export type WrongUse = readonly [name: string, line: string, complaint: RegExp];

const typescriptHead = `import { Accord, NotFoundError } from 'accord-sdk';
export const used = NotFoundError;
const accord = new Accord({ baseUrl: 'http://127.0.0.1:3000' });
`;

/** As right as they can be: the compiler must have nothing to say. */
export const typescriptRight = `${typescriptHead}
export const title: string = (await accord.books.create({ title: 'Ubik', pages: 202 })).title;
export const done: boolean = (await accord.tasks.create({ title: 'Ubik' })).done;
export const maybe: string | undefined = (await accord.books.get(1, { ifNoneMatch: '"1"' }))?.title;
export const name: string | undefined = (await accord.graphql.user({ id: '1' })).user?.name;
const result = await accord.books.get(1).result();
if (!result.ok && result.error.status === 404) {
  export_(result.error.problem?.detail satisfies string | undefined, result.error satisfies NotFoundError);
}
function export_(..._: unknown[]): void {}
for await (const book of accord.books.iterate()) export_(book.pages satisfies number);
`;

const typescriptLines: readonly WrongUse[] = [
  ['a missing field', "await accord.books.create({ title: 'Ubik' });", /'pages' is missing/],
  [
    'a wrong type',
    "await accord.books.create({ title: 'Ubik', pages: '202' });",
    /'string' is not assignable to type 'number'/,
  ],
  ['an unknown field', "await accord.books.create({ title: 'Ubik', pages: 1, isbn: '' });", /isbn/],
  ['an unknown operation', 'await accord.books.shelve(1);', /'shelve' does not exist/],
  ['an unknown group', 'await accord.shelves.list();', /'shelves' does not exist/],
  ['an unknown GraphQL operation', 'await accord.graphql.shelf();', /'shelf' does not exist/],
  [
    'a field that was not selected',
    "(await accord.graphql.user({ id: '1' })).user?.email;",
    /'email' does not exist/,
  ],
  [
    'a field that a record does not have',
    '(await accord.books.get(1)).isbn;',
    /'isbn' does not exist/,
  ],
  ['a missing variable', 'await accord.graphql.user({});', /'id' is missing/],
  ['no variables at all', 'await accord.graphql.user();', /Expected 1-2 arguments/],
  [
    'a variable of a wrong type',
    "await accord.graphql.setTodoDone({ id: '1', done: 'yes' });",
    /'string' is not assignable to type 'boolean'/,
  ],
  ['an id of a wrong type', "await accord.books.get('2');", /not assignable/],
  ['an unknown option', "await accord.books.list({ colour: 'red' });", /colour/],
  [
    'a record that may not have changed',
    "(await accord.books.get(1, { ifNoneMatch: '*' })).title;",
    /possibly 'undefined'/,
  ],
  [
    'a result that nobody looked at',
    '(await accord.books.get(1).result()).data.title;',
    /possibly 'undefined'/,
  ],
  [
    'a refusal that the operation does not have',
    'const r = await accord.books.get(1).result(); if (!r.ok) r.error.status === 418;',
    /no overlap/,
  ],
  [
    'a 404 taken for a 400',
    'try {} catch (e) { if (e instanceof NotFoundError) { const s: 400 = e.status; s; } }',
    /'404' is not assignable to type '400'/,
  ],
  [
    'a code that GraphQL does not have',
    "const r = await accord.graphql.todos().result(); if (!r.ok && 'code' in r.error) r.error.code === 'GONE';",
    /no overlap/,
  ],
];

export const typescriptWrong = typescriptLines.map(
  ([name, line, complaint]) => [name, `${typescriptHead}${line}\n`, complaint] as const,
);

const pythonHead = `from accord_sdk import Accord, BookInput, NotFoundError, TaskInput

accord = Accord("http://127.0.0.1:3000")
`;

export const pythonRight = `${pythonHead}
title: str = accord.books.create(BookInput(title="Ubik", pages=202)).title
done: bool = accord.tasks.create(TaskInput(title="Ubik")).done
book = accord.books.get(1, if_none_match='"1"')
maybe: str | None = book.title if book else None
user = accord.graphql.user(id="1").user
name: str | None = user.name if user else None
try:
    accord.books.get(1)
except NotFoundError as error:
    detail: str | None = error.problem.detail if error.problem else None
for each in accord.books.iterate():
    pages: int = each.pages
`;

const pythonLines: readonly WrongUse[] = [
  ['a missing field', 'accord.books.create(BookInput(title="Ubik"))', /"pages"/],
  ['a wrong type', 'accord.books.create(BookInput(title="Ubik", pages="202"))', /expected "int"/],
  ['an unknown field', 'BookInput(title="Ubik", pages=1, isbn="")', /"isbn"/],
  ['a wrong body', 'accord.books.create(TaskInput(title="Ubik"))', /expected "BookInput"/],
  ['an unknown operation', 'accord.books.shelve(1)', /"shelve"/],
  ['an unknown group', 'accord.shelves.list()', /"shelves"/],
  ['an unknown GraphQL operation', 'accord.graphql.shelf()', /"shelf"/],
  [
    'a field that was not selected',
    'user = accord.graphql.user(id="1").user\nassert user\nuser.email',
    /"email"/,
  ],
  ['a field that a record does not have', 'accord.books.get(1).isbn', /"isbn"/],
  ['a missing variable', 'accord.graphql.user()', /"id"/],
  ['a variable of a wrong type', 'accord.graphql.set_todo_done(id="1", done="yes")', /"bool"/],
  ['an id of a wrong type', 'accord.books.get("2")', /"int"|overload/],
  ['an unknown option', 'accord.books.list(colour="red")', /"colour"/],
  ['a record that may not have changed', 'accord.books.get(1, if_none_match="*").title', /"None"/],
  [
    'a 404 taken for a 400',
    'from typing import Literal\ntry:\n    pass\nexcept NotFoundError as error:\n    status: Literal[400] = error.status',
    /Literal\[404\]/,
  ],
];

export const pythonWrong = pythonLines.map(
  ([name, line, complaint]) => [name, `${pythonHead}${line}\n`, complaint] as const,
);
