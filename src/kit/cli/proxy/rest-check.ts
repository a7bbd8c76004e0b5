import type { Contract } from '../../contract/contract.ts';
import { isJsonType } from '../../contract/media-type.ts';
import type { Operation } from '../../contract/operation.ts';
import { responseOf, violations } from '../../contract/response-check.ts';
import { ApiError, present } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createLru } from '../../lru.ts';
import { createLane } from '../../rest/lane.ts';
import { createParameters } from '../../rest/parameters.ts';
import { bodyForms } from '../../rest/request-body.ts';
import { envelopesOf, NO_BODY } from '../../rest/request-envelope.ts';
import { createSecurity, type Secure } from '../../rest/security-check.ts';
import { createValidator } from '../../rest/validator.ts';
import { type Breach, general } from './breaches.ts';
import { jsonFault, parsed } from './json-body.ts';

/** An answer as it is held against the contract. */
export type Answer = {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined where it is not looked at. */
  readonly body: Buffer | undefined;
};

export type RestCheck = {
  /** What of a request the contract does not admit; `isWhole` says whether its body is there. */
  request(exchange: Exchange, isWhole: boolean): Promise<Breach[]>;
  answer(exchange: Exchange, answer: Answer): Breach[];
};

const MOST_OPERATIONS = 300;

/** Holds exchanges to an OpenAPI description as the kit itself does: lane, then express-openapi-validator. */
export function createRestCheck(contract: Contract, onWarning: (line: string) => void): RestCheck {
  const lane = createLane(contract);
  const validate = createValidator(contract);
  const secure = securityOf(contract, onWarning);
  const parametersOf = createLru(MOST_OPERATIONS, (operation: Operation) =>
    createParameterCheck(contract, operation),
  );

  async function refusal(exchange: Exchange, isWhole: boolean): Promise<unknown> {
    try {
      await secure?.(exchange);
      if (!isWhole && exchange.operation) parametersOf(exchange.operation)(exchange);
      else if (!(await lane(exchange))) await validate(exchange);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      // The files of a form are held until then.
      exchange.response.emit('close');
    }
  }

  return {
    async request(exchange, isWhole) {
      const { operation, match } = exchange;
      const breach = { side: 'request', operation: nameOf(exchange) } as const;
      if (!match) return [{ ...breach, place: 'path', message: 'is not declared' }];
      if (!operation) return [{ ...breach, place: 'method', message: 'is not declared' }];
      const error = await refusal(exchange, isWhole);
      if (!error) return [];
      if (!(error instanceof ApiError)) throw error;
      const { code, errors, detail } = error;
      if (code === 'unauthenticated' || code === 'forbidden') {
        return [{ ...breach, place: '/headers/authorization', message: 'credentials are missing' }];
      }
      const told = errors ?? [{ path: '/path', message: detail ?? 'is not admitted' }];
      return told.map(({ path, message }) => ({ ...breach, place: path, message }));
    },

    answer(exchange, answer) {
      const { operation, method, path } = exchange;
      if (!operation || operation.responses.size === 0) return [];
      const { status, headers, body } = answer;
      const breach = { side: 'answer', operation: nameOf(exchange) } as const;
      if (!responseOf(operation, status)) {
        return [{ ...breach, place: `status ${status}`, message: 'is not declared' }];
      }
      const isJson = isJsonType(String(headers['content-type'] ?? ''));
      const fault = isJson && body ? jsonFault(body) : undefined;
      if (fault) return [{ ...breach, place: 'body', message: fault }];
      const text = body?.toString();
      const found = violations(contract, method, path, {
        ...{ status, headers, text },
        json: text === undefined ? undefined : parsed(text),
      });
      return found.map((line) => ({ ...breach, ...placed(line) }));
    },
  };
}

/** The operation of an exchange as reports name it. */
export function nameOf({ operation, match, method, path }: Exchange): string {
  return operation?.id ?? `${method} ${match?.route.path ?? general(path)}`;
}

/** A line of the response check, as a place and what is wrong there. */
function placed(line: string): Pick<Breach, 'place' | 'message'> {
  const [, place = 'body', message = line] =
    line.match(/^(body\/\S*|body|header \S+|Content-Type) (.*)$/s) ?? [];
  const isAbsent = place === 'Content-Type' && message.startsWith('undefined ');
  return { place, message: isAbsent ? 'is missing' : message };
}

/** Judges the parameters alone; throws the refusal. */
function createParameterCheck(
  contract: Contract,
  operation: Operation,
): (exchange: Exchange) => void {
  const { document } = contract;
  const read = createParameters(document, operation);
  const forms = operation.body ? bodyForms(document, operation.body) : [];
  const envelope = present(envelopesOf(contract, operation, forms)[NO_BODY]);
  const admits = contract.createCompiler()(envelope, 'request');
  return (exchange) => {
    if (admits({ ...read(exchange), body: undefined })) return;
    const errors = (admits.errors ?? []).map(({ instancePath, message = 'is not admitted' }) => ({
      path: instancePath,
      message,
    }));
    throw new ApiError('invalid-request', { errors });
  };
}

/** Whether credentials of the right form are there: whom they belong to the server knows. */
function securityOf(contract: Contract, onWarning: (line: string) => void): Secure | undefined {
  try {
    return createSecurity({ contract, security: {}, mocks: true, verification: undefined });
  } catch (error) {
    onWarning(`${error instanceof Error ? error.message : error}; credentials are not checked`);
    return undefined;
  }
}
