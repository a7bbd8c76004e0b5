/** Handlers for contracts that are not ours, as their users would write them; compiled by the type tests. */

const imports = (contract: string, security: string) => `
import { json } from '../../src/kit/json-text.ts';
import type { Handlers } from '../../src/kit/rest/handler.ts';
import { jwtBearer, type Identities, type Security } from '../../src/kit/rest/security.ts';
import type { ProblemFunction } from '../../src/kit/rest/problem-reply.ts';
import type { operations, operationSecurity, securitySchemes } from './${contract}.d.ts';

export const security = {${security}
} satisfies Security<securitySchemes>;

export const used = [json, jwtBearer];
`;

const galaxy = `${imports(
  'galaxy',
  `
  bearerAuth: jwtBearer,
  basicAuth: ({ username, password }) => (password === 'x' ? { username } : undefined),
  apiKeyQuery: (key) => (key === 'x' ? { key } : undefined),
  apiKeyHeader: (key, { request }) => (key === request.id ? { key } : undefined),
  apiKeyCookie: async (key) => ({ key }),
  oAuth2: async (token, { scopes }) => ({ token, scopes }),
  openIdConnect: (token) => token,`,
)}
const planet = { id: 1, name: 'Mars' };
export const handlers: Handlers<operations, never, Identities<typeof security, operationSecurity>> = {
  getAllData: ({ query: { limit = 10 } }) =>
    ({ status: 200, type: 'application/json', body: { data: [planet], meta: { limit } } }),
  createPlanet: async (input, { identity }) => {
    const name = input.mediaType === 'application/json' ? input.body.name : input.body?.trim();
    const who: string | undefined = identity.basicAuth?.username ?? identity.openIdConnect;
    if (!name) return { status: 400, type: 'application/xml', body: '<error/>' };
    return { status: 201, type: 'application/json', body: { ...planet, name, description: who ?? null } };
  },
  getPlanet: ({ path: { planetId } }) =>
    planetId > 1
      ? { status: 404, type: 'application/json', body: { title: 'Not found' } }
      : { status: 200, type: 'application/xml', body: '<planet/>' },
  updatePlanet: () => ({ status: 200, type: 'application/json', body: planet }),
  deletePlanet: () => ({ status: 204 }),
  uploadImage: async ({ body }) => {
    const bytes: Buffer | undefined = await body?.image?.bytes();
    const fileSize = bytes?.length ?? 0;
    return { status: 200, type: 'application/json', body: { fileSize } };
  },
  createUser: () => ({ status: 201, type: 'application/json', body: { email: 'a@b.c', password: '' } }),
  getToken: () => ({ status: 201, type: 'application/json', body: { token: 'x' } }),
  getMe: (_, { identity }) => {
    const key: string | undefined = identity.apiKeyHeader?.key;
    return { status: 200, type: 'application/json', body: { email: key ?? '', password: '' } };
  },
};

export const problem: ProblemFunction<operations> = ({ title, status, detail }) => ({
  type: 'application/json',
  body: { title, status, detail },
});
`;

const trainTravel = `${imports('train-travel', '\n  OAuth2: jwtBearer,')}
const type = 'application/json';
export const handlers: Handlers<operations, never, Identities<typeof security, operationSecurity>> = {
  'get-stations': () => ({
    status: 200,
    type,
    headers: { RateLimit: '10' },
    body: { data: [{ id: '1', name: 'Berlin', address: '', country_code: 'DE' }], links: { self: '/' } },
  }),
  'get-trips': ({ query: { origin, bicycles } }) =>
    bicycles
      ? { status: 400, type: 'application/problem+json', body: { title: 'No' } }
      : { status: 200, type, body: { data: [{ origin }] } },
  'get-bookings': () => ({ status: 200, type: 'application/xml', body: '<bookings/>' }),
  'create-booking': (input, { identity }) => {
    const booking = input.mediaType === type ? input.body : { passenger_name: input.body };
    return { status: 201, type, body: { ...booking, trip_id: identity.OAuth2.subject ?? '' } };
  },
  'get-booking': ({ path: { bookingId } }) => ({ status: 200, type, body: { id: bookingId } }),
  'delete-booking': () => ({ status: 204 }),
  'create-booking-payment': ({ body }) => ({ status: 200, body: { ...body, status: 'pending' } }),
};

export const problem: ProblemFunction<operations> = ({ code: _, ...members }) => ({
  type: 'application/problem+json',
  body: members,
});
`;

const petstore = `${imports(
  'petstore',
  `
  petstore_auth: async (token, { scopes }) => (scopes.length > 0 ? { token } : undefined),
  api_key: (key) => key === 'x' || undefined,`,
)}
const pet = { id: 1, name: 'Rex', photoUrls: [] };
type Order = operations['placeOrder']['requestBody']['content']['application/json'];
export const handlers: Handlers<operations, never, Identities<typeof security, operationSecurity>> = {
  addPet: () => ({ status: 405 }),
  updatePet: (input) => ({ status: input.mediaType === 'application/xml' ? 400 : 404 }),
  findPetsByStatus: ({ query: { status } }) =>
    ({ status: 200, type: 'application/json', body: status.map((each) => ({ ...pet, status: each })) }),
  findPetsByTags: () => ({ status: 200, type: 'application/xml', body: '<pets/>' }),
  getPetById: ({ path: { petId } }, { identity: { api_key: isKnown } }) =>
    isKnown && petId > 0 ? { status: 200, type: 'application/json', body: pet } : { status: 418 },
  updatePetWithForm: ({ body }) => ({ status: 405, body: body?.name === '' ? undefined : undefined }),
  deletePet: ({ headers: { api_key } }) => ({ status: api_key ? 400 : 404 }),
  uploadFile: ({ body }) => {
    const { file, additionalMetadata = '' } = body ?? {};
    return { status: 200, body: { code: file?.size ?? 0, message: additionalMetadata } };
  },
  getInventory: () => ({ status: 200, body: { available: 1 } }),
  placeOrder: ({ body }) => ({ status: 200, type: 'application/json', body }),
  getOrderById: () => ({ status: 200, type: 'application/json', body: json<Order>({ complete: false }) }),
  deleteOrder: () => ({ status: 404 }),
  createUser: () => ({ status: 201 }),
  createUsersWithArrayInput: ({ body }) => ({ status: body.length > 0 ? 200 : 400 }),
  createUsersWithListInput: () => ({ status: 200 }),
  loginUser: () => ({
    status: 200,
    type: 'application/json',
    headers: { 'X-Rate-Limit': 10 },
    body: json('session'),
  }),
  logoutUser: () => ({ status: 204 }),
  getUserByName: () => ({ status: 200, type: 'application/json', body: { username: 'x' } }),
  updateUser: () => ({ status: 404 }),
  deleteUser: () => ({ status: 404 }),
};

export const problem: ProblemFunction<operations> = () => ({});
`;

export const foreignHandlers = { galaxy, 'train-travel': trainTravel, petstore } as const;
