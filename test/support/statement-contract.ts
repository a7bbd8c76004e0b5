import { childrenOf, cursorIn, listOf } from '../../src/kit/graphql/list-fields.ts';
import { guarded, parentOf, recordOf } from '../../src/kit/graphql/record-fields.ts';
import { collection, records, type StoreOf } from '../../src/kit/store/table-declarations.ts';

type Maker = {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly label: string | null;
};
type Thing = {
  readonly id: number;
  readonly makerId: number | null;
  readonly name: string;
  readonly note: string | null;
  readonly body: string;
  readonly size: number;
  readonly total: number;
  readonly count: number | null;
  readonly weight: number;
  readonly ratio?: number;
  readonly isDone: boolean;
  readonly isOpen: boolean | null;
  readonly day: string;
  readonly until?: string;
  readonly seenAt: string;
  readonly leftAt: string | null;
  readonly key: string;
  readonly mark: 'A' | 'B' | 'b';
  readonly color?: 'RED' | 'BLUE' | 'green';
  readonly data: { readonly a: number };
};
type Part = {
  readonly id: number;
  readonly thingId: number;
  readonly makerId: number | null;
  readonly title: string | null;
  readonly size: number;
};

const refersTo = (table: string) => ({ table, onDelete: 'restrict' }) as const;

/** A table with a column of every type. */
export const tables = {
  makers: records<Maker>(
    { name: 'text', secret: 'text', label: 'text | null' },
    { filter: ['name'], sort: ['name'] },
  ),
  things: collection<Thing>(
    {
      makerId: { type: 'integer | null', references: refersTo('makers') },
      name: 'text',
      note: 'text | null',
      body: 'long text',
      size: 'integer',
      total: 'integer',
      count: 'integer | null',
      weight: 'number',
      ratio: 'number?',
      isDone: 'boolean',
      isOpen: 'boolean | null',
      day: 'date',
      until: 'date?',
      seenAt: 'date-time',
      leftAt: 'date-time | null',
      key: 'uuid',
      mark: 'enum',
      color: 'enum?',
      data: 'json',
    },
    {
      filter: ['name', 'note', 'body', 'size', 'weight', 'isDone', 'seenAt', 'leftAt', 'mark'],
      sort: ['name', 'note', 'size', 'weight', 'isDone', 'leftAt', 'mark'],
    },
  ),
  parts: records<Part>(
    {
      thingId: { type: 'integer', references: refersTo('things') },
      makerId: { type: 'integer | null', references: refersTo('makers') },
      title: 'text | null',
      size: 'integer',
    },
    { filter: ['title', 'size'], sort: ['title', 'size'] },
  ),
};
export type Store = StoreOf<typeof tables>;

const list = (name: string) =>
  `(where: ${name}Where, sort: [${name}Sort!], first: Int, after: String)`;
const sorts = (name: string, values: readonly string[]) =>
  `enum ${name}Sort { ${values.flatMap((value) => [value, `${value}_DESC`]).join(' ')} }
   extend type ${name} { cursor(sort: [${name}Sort!]): String! }`;

export const sdl = `
type Query {
  things${list('Thing')}: [Thing!]!
  thing(id: ID!): Thing
  someThing(id: ID!): Thing!
  parts${list('Part')}: [Part!]
  makers${list('Maker')}: [Maker]!
  maker(id: ID!): Maker
}
type Maker {
  id: ID! name: String! secret: String! label: String! things${list('Thing')}: [Thing!]! parts: [Part!]!
}
type Thing {
  id: ID! name: String! note: String body: String! size: Int! total: Float! count: Int weight: Float!
  ratio: Float isDone: Boolean! isOpen: Boolean day: String! until: String seenAt: String! leftAt: String
  key: ID! mark: Mark! color: Color data: Data shout: String!
  maker: Maker parts${list('Part')}: [Part!]!
}
type Part { id: ID! title: String size: Int! thing: Thing! maker: Maker }
type Data { a: Int }
enum Mark { A B b }
enum Color { RED BLUE }
input ThingWhere {
  name: TextTest note: TextTest body: LongTest size: IntTest weight: FloatTest isDone: BooleanTest
  seenAt: TimeTest leftAt: TimeTest mark: MarkTest
}
input PartWhere { title: TextTest size: IntTest }
input MakerWhere { name: TextTest }
input TextTest { eq: String contains: String }
input LongTest { contains: String }
input IntTest { eq: Int in: [Int!] gt: Int gte: Int lt: Int lte: Int }
input FloatTest { eq: Float gt: Float lte: Float }
input BooleanTest { eq: Boolean }
input TimeTest { eq: String gte: String lt: String }
input MarkTest { eq: Mark in: [Mark!] }
${sorts('Thing', ['ID', 'NAME', 'NOTE', 'SIZE', 'WEIGHT', 'IS_DONE', 'LEFT_AT', 'MARK'])}
${sorts('Part', ['ID', 'TITLE', 'SIZE'])}
${sorts('Maker', ['ID', 'NAME'])}
`;

export const resolvers = {
  Query: {
    things: listOf('Query.things', (store: Store) => store.things),
    thing: recordOf((store: Store) => store.things),
    someThing: recordOf((store: Store) => store.things),
    parts: listOf('Query.parts', (store: Store) => store.parts),
    makers: listOf('Query.makers', (store: Store) => store.makers),
    maker: recordOf((store: Store) => store.makers),
  },
  Maker: {
    secret: guarded('secret', 'read a secret'),
    things: childrenOf('Maker.things', (store: Store) => store.things.by('makerId')),
    parts: childrenOf('Maker.parts', (store: Store) => store.parts.by('makerId')),
    cursor: cursorIn((store: Store) => store.makers),
  },
  Thing: {
    // One that the kit knows nothing of.
    shout: ({ name }: Thing) => name.toUpperCase(),
    maker: parentOf('Thing.maker', (store: Store) => store.makers, 'makerId'),
    parts: childrenOf('Thing.parts', (store: Store) => store.parts.by('thingId')),
    cursor: cursorIn((store: Store) => store.things),
  },
  Part: {
    thing: parentOf('Part.thing', (store: Store) => store.things, 'thingId'),
    maker: parentOf('Part.maker', (store: Store) => store.makers, 'makerId'),
    cursor: cursorIn((store: Store) => store.parts),
  },
};

const controls = Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join('');

/** Texts that JSON escapes, or that look like JSON. */
export const texts = [
  ...[
    '',
    'a',
    'A',
    'é',
    ' a b ',
    '%',
    '😀',
    '\u{10ffff}',
    '\u2028\u2029',
    '\u007f\u0080\ufeff\uffff',
  ],
  ...[
    '"',
    '\\',
    '\\"',
    '":',
    '\\":',
    '"\\u0003"',
    '{"a":1}',
    '[]',
    'null',
    '</script>',
    "'",
    controls,
  ],
];
const floats = [0, -0, 0.1, 1e308, 5e-324, 1e21, 1e-7, -1.5, 123456789.125, 2 ** 53];

/** Few values, so that many records are equal in some. */
export async function fill(store: Store): Promise<void> {
  const at = <T>(values: readonly T[], i: number) => values[i % values.length] as T;
  const makers: number[] = [];
  for (let i = 0; i < 4; i++) {
    const label = i === 3 ? null : at(texts, i + 9);
    const maker = { name: at(texts, i * 5), secret: `secret ${at(texts, i + 8)}`, label };
    makers.push((await store.makers.create(maker)).id);
  }
  for (let i = 0; i < 24; i++) {
    const text = at(texts, i);
    const { id } = await store.things.create({
      makerId: i % 3 ? at(makers, i) : null,
      name: text,
      note: i % 4 ? at(texts, i * 7) : null,
      body: i === 5 ? text.padEnd(17_000, 'x') : text.repeat(3),
      size: at([-2, 0, 1, 7, 2 ** 31 - 1, -(2 ** 31)], i),
      total: at([0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -0, 2 ** 31], i),
      count: i === 11 ? 2 ** 31 : i % 2 ? i : null,
      weight: at(floats, i),
      ...(i % 3 && { ratio: at(floats, i + 3) }),
      isDone: i % 2 === 0,
      isOpen: at([true, false, null], i),
      day: at(['2026-01-01', '1999-12-31'], i),
      ...(i % 2 && { until: '2027-02-03' }),
      seenAt: at(
        ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00.50+02:00', '0099-02-03T04:05:06z'],
        i,
      ),
      leftAt: i % 5 ? at(['2026-01-01T00:00:00.25Z', '1999-12-31T23:59:60Z'], i) : null,
      key: `6F9619FF-8B86-D011-B42D-00C04FC96${String(100 + i)}`,
      mark: at(['A', 'B', 'b'] as const, i),
      ...(i % 2 && { color: i === 7 ? ('green' as const) : ('RED' as const) }),
      data: { a: i },
    });
    for (let k = 0; k < i % 4; k++) {
      const title = k === 2 ? null : at(texts, i + k);
      const makerId = k % 2 ? at(makers, k + i) : null;
      await store.parts.create({ thingId: id, makerId, title, size: (i * k) % 5 });
    }
  }
}
