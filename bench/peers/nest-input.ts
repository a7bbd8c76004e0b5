import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { decorateProperty } from './decorate.ts';

/** The contract's BookInput and query parameters, as classes: Nest does not read contracts. */
export class BookInput {
  declare title: string;
  declare pages: number;
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: the contract refuses this one.
const withoutNul = Matches(/^[^\u0000]*$/);
decorateProperty(BookInput.prototype, 'title', String, IsString(), Length(1, 200), withoutNul);
decorateProperty(BookInput.prototype, 'pages', Number, IsInt(), Min(1), Max(1_000_000));

export class PageInput {
  declare limit?: number;
  declare after?: number;
}
const number = Type(() => Number);
decorateProperty(
  PageInput.prototype,
  'limit',
  Number,
  IsOptional(),
  number,
  IsInt(),
  Min(1),
  Max(1000),
);
decorateProperty(PageInput.prototype, 'after', Number, IsOptional(), number, IsInt(), Min(0));
