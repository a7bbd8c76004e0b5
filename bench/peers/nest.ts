import 'reflect-metadata';
import { BadRequestException, type ValidationError, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './nest-books.ts';
import { invalid } from './problem.ts';
import { host, port } from './settings.ts';

/** NestJS on Fastify, with its ValidationPipe. */
const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: false,
});
app.useGlobalPipes(
  new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    exceptionFactory([fault]: ValidationError[]) {
      const [message = ''] = Object.values(fault?.constraints ?? {});
      return new BadRequestException(invalid(`/body/${fault?.property}`, message));
    },
  }),
);
await app.listen(port, host);
