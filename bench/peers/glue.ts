import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import glue from 'fastify-openapi-glue';
import { type Fields, openBooks, type Range, type Stored } from './books.ts';
import { invalid, notAllowed, notFound } from './problem.ts';

/** Fastify with the contract: fastify-openapi-glue makes routes, validators and serialisers of it. */
export async function createGlue(specification: string | object): Promise<FastifyInstance> {
  const fastify = Fastify({
    // The contract's own format, whose text its pattern and bounds check, and its own keyword.
    ajv: {
      customOptions: {
        removeAdditional: false,
        formats: { text: true },
        keywords: ['x-compatible'],
      },
    },
  });
  fastify.setErrorHandler(
    (error: { validation?: { instancePath: string; message?: string }[] }, _, reply) => {
      const [fault] = error.validation ?? [];
      if (!fault) throw error;
      return reply.code(400).send(invalid(`/body${fault.instancePath}`, fault.message ?? ''));
    },
  );
  await fastify.register(glue, { specification, serviceHandlers: await createHandlers() });
  refuseOtherMethods(fastify, '/books', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE']);
  refuseOtherMethods(fastify, '/books/:id', 'DELETE, GET, HEAD, PUT', ['POST', 'PATCH']);
  return fastify;
}

type Id = { id: number };

async function createHandlers() {
  const books = await openBooks();
  const found = (reply: FastifyReply, record: Stored | undefined) =>
    record ? reply.header('etag', record.tag).send(record.book) : reply.code(404).send(notFound);

  return {
    getBook: async (request: FastifyRequest, reply: FastifyReply) =>
      found(reply, await books.get((request.params as Id).id)),

    async listBooks(request: FastifyRequest, reply: FastifyReply) {
      const { books: list, link } = await books.list(request.query as Range);
      if (link) reply.header('link', link);
      return list;
    },

    async createBook(request: FastifyRequest, reply: FastifyReply) {
      const { book, tag, location } = await books.create(request.body as Fields);
      return reply.code(201).header('location', location).header('etag', tag).send(book);
    },

    replaceBook: async (request: FastifyRequest, reply: FastifyReply) =>
      found(reply, await books.replace((request.params as Id).id, request.body as Fields)),

    async deleteBook(request: FastifyRequest, reply: FastifyReply) {
      if (!(await books.remove((request.params as Id).id))) return reply.code(404).send(notFound);
      return reply.code(204).send();
    },
  };
}

/** The contract's 405, which glue leaves to the user. */
function refuseOtherMethods(
  fastify: FastifyInstance,
  url: string,
  allow: string,
  method: string[],
) {
  const handler = async (_: FastifyRequest, reply: FastifyReply) =>
    reply.code(405).header('allow', allow).send(notAllowed);
  fastify.route({ method, url, handler });
}
