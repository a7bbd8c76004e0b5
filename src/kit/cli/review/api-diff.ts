import { pointerPart } from '../contract/schema-nodes.ts';
import type { Documents, Tell } from './schema-facts.ts';
import { compareWording } from './wording-diff.ts';

/** What is said of the API as a whole. */
export function compareWhole({ before, after }: Documents, tell: Tell): void {
  const subject = { kind: 'api', name: after.info?.title ?? 'the API' } as const;
  const at = {
    subject,
    owner: 'the API',
    path: [],
    place: '#/info',
    use: { request: true, response: true },
  };
  compareWording(Object(before.info), Object(after.info), at, tell);
  const [was, is] = [before, after].map(({ servers = [] }) => servers.map(({ url }) => url));
  for (const url of was?.filter((each) => !is?.includes(each)) ?? []) {
    const message = `The address \`${url}\` is no longer among those of the API.`;
    tell({
      subject,
      part: 'servers',
      place: '#/servers',
      rule: 'server-removed',
      level: 'decision',
      isGone: true,
      message,
    });
  }
  for (const url of is?.filter((each) => !was?.includes(each)) ?? []) {
    const message = `The API is at \`${url}\` too.`;
    tell({
      subject,
      part: 'servers',
      place: '#/servers',
      rule: 'server-added',
      level: 'safe',
      message,
    });
  }
  const [old, now] = [before, after].map(({ components }) => Object(components?.securitySchemes));
  for (const name of Object.keys({ ...old, ...now })) {
    const [a, b] = [old[name], now[name]];
    const place = `#/components/securitySchemes/${pointerPart(name)}`;
    const part = { subject, part: `security ${name}`, place };
    if (a === undefined) {
      tell({
        ...part,
        rule: 'security-scheme-added',
        level: 'safe',
        message: `The API knows a new kind of credentials, \`${name}\`.`,
      });
    } else if (b === undefined) {
      tell({
        ...part,
        rule: 'security-scheme-removed',
        level: 'decision',
        isGone: true,
        message: `The credentials \`${name}\` are gone from the contract.`,
      });
    } else {
      compareWording(a, b, { ...at, ...part, owner: `the credentials \`${name}\`` }, tell);
      const plain = ({ description, ...rest }: Record<string, unknown>) => JSON.stringify(rest);
      if (plain(a) === plain(b)) continue;
      tell({
        ...part,
        rule: 'security-scheme-changed',
        level: 'breaking',
        message: `The credentials \`${name}\` are given in another way: clients that send them as before are refused.`,
        before: plain(a),
        after: plain(b),
      });
    }
  }
}
