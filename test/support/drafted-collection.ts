import { fieldOf, namesOf } from '../../src/kit/cli/add/resource-fields.ts';

/** A collection with a field of every kind. */
const given = [
  ...[
    'title:string(2..80)',
    'text:text?',
    'long:string(1001)',
    'count:integer(1..5)',
    'big:integer(3000000000)',
  ],
  ...['share:number(0..1)', 'done:boolean', 'day:date', 'at:date-time?', 'key:uuid'],
  ...['kind:enum(NEW|OLD)', 'tags:string(20)[]', 'bookId:integer', 'far:integer(7..9)?'],
];
export const fields = given.map((each) => fieldOf(each, ['books']));
export const names = namesOf('order-lines', undefined);
