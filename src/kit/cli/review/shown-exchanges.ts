import type { Contracts } from '../contract/contract-texts.ts';
import type { Change } from './change.ts';
import { createRestRequests, graphqlRequests, rootRequest } from './example-requests.ts';
import { type Message, type Sent, type Served, serveMock, serveProject } from './exchanges.ts';
import { operationsText, type Sides } from './sides.ts';

/** A request and its answer in both versions; undefined where there is none. */
export type Shown = { readonly before: Message | undefined; readonly after: Message | undefined };

/** So many operations are shown: the first of the gravest changes. */
const MOST = 12;
/** A server of a description of this size takes seconds to start and hundreds of MB. */
const LARGE = 5_000_000;

/** What the changed operations are asked and answer in both versions, by name, where that differs. */
export async function shownExchanges(
  before: Contracts,
  after: Contracts,
  changes: readonly Change[],
  schemas: Sides['schemas'],
  examples: readonly string[],
): Promise<Map<string, Shown>> {
  const touched = changes.filter(
    ({ subject, isWording }) => subject.kind === 'operation' && !isWording,
  );
  const names = [...new Set(touched.map(({ subject }) => subject.name))].slice(0, MOST);
  const found = new Map<string, Shown>();
  const isLarge = [before, after].some(({ openapi }) => openapi.length > LARGE);
  if (isLarge || names.length + examples.length === 0) return found;
  const [old, now] = [requestsOf(before), requestsOf(after)];
  const named = graphqlRequests(operationsText());
  const servers = await Promise.all([
    served(() => serveMock(before)),
    served(() => serveProject(after)),
  ]);
  const [was, is] = servers;
  const show = async (name: string, first: Sent | undefined, second: Sent | undefined) => {
    const shown = { before: await asked(was, first), after: await asked(is, second) };
    if (JSON.stringify(shown.before) !== JSON.stringify(shown.after)) found.set(name, shown);
  };
  try {
    for (const name of names) {
      const isRest = name.includes(' ');
      const added = touched.filter(
        ({ subject, rule }) => subject.name === name && rule === 'parameter-added',
      );
      const extra = added.slice(0, 2).map(({ part }) => part.split(' ').at(-1) ?? '');
      const earlier =
        touched.find(({ subject, rule }) => subject.name === name && rule === 'operation-moved')
          ?.before ?? name;
      await (isRest
        ? show(name, old(earlier, []), now(name, extra))
        : show(name, rootRequest(schemas.before, name), rootRequest(schemas.after, name)));
    }
    for (const name of examples.slice(0, MOST)) {
      const sent = named.get(name);
      await show(name, sent, sent);
    }
  } finally {
    await Promise.all(servers.map((each) => each?.stop()));
  }
  return found;
}

/** A contract of which no SDK can be made has no requests to show. */
function requestsOf(contracts: Contracts): ReturnType<typeof createRestRequests> {
  try {
    return createRestRequests(contracts);
  } catch {
    return () => undefined;
  }
}

/** A contract that cannot be served has no answers to show. */
async function served(start: () => Promise<Served>): Promise<Served | undefined> {
  try {
    return await start();
  } catch {
    return undefined;
  }
}

async function asked(
  server: Served | undefined,
  sent: Sent | undefined,
): Promise<Message | undefined> {
  if (!server || !sent) return undefined;
  try {
    return await server.ask(sent);
  } catch {
    return undefined;
  }
}
