import type { Contract } from '../../contract/contract.ts';
import { resolve, type SecurityScheme } from '../../contract/openapi-document.ts';
import type { Operation, Parameter } from '../../contract/operation.ts';
import { createSample, type Sample } from '../../mock/sample.ts';
import { type Body, bodyOf, isSendable } from './sampled-body.ts';
import { parameterText, type Sendable } from './sampled-parameter.ts';

/** A request as it is put on the wire. */
type Sent = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
};

export type SampledRequest = Sent & { readonly what: string };

/** Requests of one operation, made of values that its schemas admit. */
export type SampledRequests = {
  /** One for each media type of its body; none where the body is required and no value of it can be made. */
  readonly valid: readonly SampledRequest[];
  /** Each with one fault: a required parameter that is not there, a body of another type, no body. */
  readonly invalid: readonly SampledRequest[];
};

export function createSampledRequests(
  contract: Contract,
): (operation: Operation) => SampledRequests {
  const { document, createCompiler } = contract;
  const components = { ...document.components, 'x-schemas': document.components?.schemas ?? {} };
  const compile = createCompiler('verbose');
  const sample = createSample({ ...document, components }, compile);
  return (operation) => {
    const { id, body, bodySchema } = operation;
    const parts = partsOf(contract, operation, sample);
    const bodies = [...(body?.content ?? [])].flatMap(
      ([type, media]) => bodyOf(contract, type, media, sample) ?? [],
    );
    const request = (what: string, some: readonly Part[], sent?: Body) =>
      requestOf(operation, some, `${id} ${what}`, sent);
    const withBodies = bodies.map((each) => request(`with ${each.type}`, parts, each));
    const without = parts
      .filter(({ parameter }) => parameter?.required && parameter.in !== 'path')
      .map((part) =>
        request(
          `without ${part.name}`,
          parts.filter((each) => each !== part),
          bodies[0],
        ),
      );
    const validate = bodySchema && compile(bodySchema, 'request');
    const wrong = validate
      ? others.filter((value) => !validate(structuredClone(value))).slice(0, 1)
      : [];
    return {
      valid: withBodies.length > 0 || body?.required ? withBodies : [request('plainly', parts)],
      invalid: [
        ...without,
        ...(body?.required ? [request('without a body', parts)] : []),
        ...wrong
          .map((value) => JSON.stringify(value))
          .map((text) =>
            request(`with ${text}`, parts, { type: 'application/json', bytes: Buffer.from(text) }),
          ),
      ],
    };
  };
}

// Validation fills in defaults.
const others: readonly unknown[] = [[], {}, 'x', 1, true, null];

/** The text of a parameter, or of credentials. */
type Part = {
  readonly parameter?: Parameter;
  readonly in: Parameter['in'];
  readonly name: string;
  readonly text: string;
};

function requestOf(
  { method, path }: Operation,
  parts: readonly Part[],
  what: string,
  body?: Body,
): SampledRequest {
  const among = (place: string) => parts.filter((part) => part.in === place);
  const texts = new Map(among('path').map(({ name, text }) => [name, text]));
  const query = among('query')
    .map(({ text }) => text)
    .join('&');
  const cookies = among('cookie')
    .map(({ text }) => text)
    .join('; ');
  return {
    what,
    method,
    target:
      path.replaceAll(/\{([^}]*)\}/g, (_, name) => texts.get(name) ?? '') + (query && `?${query}`),
    headers: [
      ...among('header').map(({ name, text }) => [name, text] as const),
      ...(cookies === '' ? [] : [['Cookie', cookies] as const]),
      ...(body ? [['Content-Type', body.type] as const] : []),
    ],
    body: body?.bytes,
  };
}

function partsOf(contract: Contract, operation: Operation, sample: Sample): Part[] {
  const parameters = operation.parameters.flatMap((parameter): Part[] => {
    const { object, name, in: place, mediaType } = parameter;
    const schema = object.schema ?? object.content?.[mediaType ?? '']?.schema ?? true;
    const value = sample(schema, 'request');
    const text = mediaType
      ? textOf(parameter, JSON.stringify(value))
      : isSendable(value) && textOf(parameter, value);
    if (typeof text === 'string') return [{ parameter, in: place, name, text }];
    if (parameter.required)
      throw new Error(`no text for ${operation.id} ${name}: ${JSON.stringify(value)}`);
    return [];
  });
  const schemes = credentialsFor(contract, operation);
  const given = new Set(schemes.map((part) => `${part.in} ${part.name.toLowerCase()}`));
  const others = parameters.filter((part) => !given.has(`${part.in} ${part.name.toLowerCase()}`));
  return [...others, ...schemes];
}

function credentialsFor(contract: Contract, operation: Operation): Part[] {
  const alternative = operation.security.find(isPossible(contract)) ?? {};
  return Object.keys(alternative).flatMap((name) =>
    // The document was validated: a component of this kind is a security scheme.
    credentials(
      resolve(
        contract.document,
        contract.document.components?.securitySchemes?.[name] as SecurityScheme,
      ),
    ),
  );
}

/** A request with the credentials that an operation demands. */
export function withCredentials(contract: Contract, operation: Operation): (request: Sent) => Sent {
  const parts = credentialsFor(contract, operation);
  const among = (place: string) => parts.filter((part) => part.in === place);
  const query = among('query').map(({ text }) => text);
  return ({ target, headers, ...rest }) => ({
    ...rest,
    target: query.reduce((all, text) => `${all}${all.includes('?') ? '&' : '?'}${text}`, target),
    headers: [
      ...headers,
      ...among('header').map(({ name, text }) => [name, text] as const),
      ...among('cookie').map(({ text }) => ['Cookie', text] as const),
    ],
  });
}

/** HTTP has room for one `Authorization`. */
function isPossible({ document }: Contract) {
  const schemes = Object(document.components?.securitySchemes);
  return (alternative: object) =>
    Object.keys(alternative).filter((name) => !/apiKey|mutualTLS/.test(schemes[name].type)).length <
    2;
}

function textOf(parameter: Parameter, value: Sendable): string {
  return parameterText(parameter, value === '' ? 'a' : value);
}

function credentials(scheme: SecurityScheme): Part | [] {
  if (scheme.type === 'mutualTLS') return [];
  if (scheme.type === 'apiKey') {
    const { in: place, name } = scheme;
    return { in: place, name, text: place === 'header' ? 'key' : `${name}=key` };
  }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  const text = isBasic
    ? `Basic ${Buffer.from('user:password').toString('base64')}`
    : 'Bearer token';
  return { in: 'header', name: 'Authorization', text };
}
