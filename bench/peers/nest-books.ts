import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  MethodNotAllowedException,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { openBooks, type Stored } from './books.ts';
import { decorateClass, decorateMethod } from './decorate.ts';
import { BookInput, PageInput } from './nest-input.ts';
import { notAllowed, notFound } from './problem.ts';

const books = await openBooks();

class BooksController {
  async list(page: PageInput, reply: FastifyReply) {
    const { books: list, link } = await books.list(page);
    if (link) reply.header('link', link);
    return list;
  }

  async create(input: BookInput, reply: FastifyReply) {
    const { book, tag, location } = await books.create(input);
    reply.header('location', location).header('etag', tag);
    return book;
  }

  async get(id: number, reply: FastifyReply) {
    return found(reply, await books.get(id));
  }

  async replace(id: number, input: BookInput, reply: FastifyReply) {
    return found(reply, await books.replace(id, input));
  }

  async remove(id: number) {
    if (!(await books.remove(id))) throw new NotFoundException(notFound);
  }

  refuse(reply: FastifyReply) {
    reply.header('allow', 'GET, HEAD, POST');
    throw new MethodNotAllowedException(notAllowed);
  }
}

function found(reply: FastifyReply, record: Stored | undefined) {
  if (!record) throw new NotFoundException(notFound);
  reply.header('etag', record.tag);
  return record.book;
}

const { prototype } = BooksController;
const id = [Number, Param('id', ParseIntPipe)] as const;
const input = [BookInput, Body()] as const;
const reply = [Object, Res({ passthrough: true })] as const;
decorateMethod(prototype, 'list', [[PageInput, Query()], reply], Get());
decorateMethod(prototype, 'create', [input, reply], Post());
decorateMethod(prototype, 'get', [id, reply], Get(':id'));
decorateMethod(prototype, 'replace', [id, input, reply], Put(':id'));
decorateMethod(prototype, 'remove', [id], Delete(':id'), HttpCode(204));
// Nest leaves the contract’s 405 to the user, and has no route for all other methods on Fastify.
decorateMethod(prototype, 'refuse', [reply], Patch());
decorateClass(BooksController, Controller('books'));

export class AppModule {}
decorateClass(AppModule, Module({ controllers: [BooksController] }));
