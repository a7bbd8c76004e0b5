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
import { openBooks } from './books.ts';
import { decorateClass, decorateMethod } from './decorate.ts';
import { BookInput, PageInput } from './nest-input.ts';
import { notAllowed, notFound } from './problem.ts';

const books = openBooks();

class BooksController {
  list(page: PageInput, reply: FastifyReply) {
    const { books: list, link } = books.list(page);
    if (link) reply.header('link', link);
    return list;
  }

  create(input: BookInput, reply: FastifyReply) {
    const { book, tag, location } = books.create(input);
    reply.header('location', location).header('etag', tag);
    return book;
  }

  get(id: number, reply: FastifyReply) {
    return found(reply, books.get(id));
  }

  replace(id: number, input: BookInput, reply: FastifyReply) {
    return found(reply, books.replace(id, input));
  }

  remove(id: number) {
    if (!books.remove(id)) throw new NotFoundException(notFound);
  }

  refuse(reply: FastifyReply) {
    reply.header('allow', 'GET, HEAD, POST');
    throw new MethodNotAllowedException(notAllowed);
  }
}

function found(reply: FastifyReply, record: ReturnType<typeof books.get>) {
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
