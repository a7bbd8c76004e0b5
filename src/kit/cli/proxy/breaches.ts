/** One way in which an exchange breaks a contract. */
export type Breach = {
  readonly side: 'request' | 'answer';
  /** The id of a REST operation, the kind and name of a GraphQL one, or method and path. */
  readonly operation: string;
  /** Where it is, such as `/body/name`, `status` or `Ship.name`. */
  readonly place: string;
  readonly message: string;
};

/** Breaches that differ in nothing else than the exchange. */
export type BreachKind = Breach & {
  count: number;
  /** Method and path of the first. */
  readonly example: string;
};

export type Breaches = {
  /** Counts those of one exchange. */
  add(found: readonly Breach[], example: string): void;
  /** In the order in which they were found first. */
  kinds(): readonly BreachKind[];
  /** Breaches that are not among the kinds, because there are too many of these. */
  further(): number;
};

// A client that makes up paths must not fill the memory.
const MOST_KINDS = 1000;
const LONGEST = 300;

/** Counts breaches by kind; `onNew` is told of the first of each. */
export function createBreaches(onNew: (kind: BreachKind) => void): Breaches {
  const kinds = new Map<string, BreachKind>();
  let further = 0;
  return {
    add(found, example) {
      // All items of a list may have the same fault.
      const ofExchange = new Map(found.map((each) => keyed(each)));
      for (const [key, breach] of ofExchange) {
        const known = kinds.get(key);
        if (known) known.count++;
        else if (kinds.size >= MOST_KINDS) further++;
        else {
          const kind = { ...breach, count: 1, example };
          kinds.set(key, kind);
          onNew(kind);
        }
      }
    },
    kinds: () => [...kinds.values()],
    further: () => further,
  };
}

function keyed(breach: Breach): [key: string, breach: Breach] {
  const operation = printable(breach.operation);
  const place = printable(general(breach.place));
  // GraphQL's messages have the place in them.
  const message = breach.message
    .slice(0, LONGEST)
    .replaceAll(/\[\d+\]/g, '[*]')
    .toWellFormed();
  const told = { ...breach, operation, place, message: printable(message) };
  return [JSON.stringify([told.side, operation, place, told.message]), told];
}

/** Without characters that move a terminal's cursor, or begin a line that nobody wrote. */
function printable(text: string): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, escaped);
}

/** A kind in one line. */
export function kindLine({ side, operation, place, message }: Breach): string {
  return `${side} of ${operation}: ${place} ${message}`;
}

/** A path or pointer without what tells one record from another: indices, ids, keys. */
export function general(path: string): string {
  const [start = ''] = path.slice(0, LONGEST).split('?');
  return start
    .split('/')
    .map((part) => (isId(part) ? '*' : part))
    .join('/')
    .toWellFormed();
}

function isId(part: string): boolean {
  return /^\d+$/.test(part) || (part.length >= 16 && /\d/.test(part) && /^[\w-]+$/.test(part));
}
