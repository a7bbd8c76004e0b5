import type { Named } from './contract-features.ts';

type SdlFeature = {
  readonly name: string;
  readonly note?: string;
  readonly how: 'served' | 'refused';
  readonly test: Named;
};

const named = (file: string, text: string): Named => [`test/kit/graphql/${file}.test.ts`, text];
const every = (text: string) => named('every-feature', text);

/** Every feature of the SDL. There is one path for all: graphql executes what is not compiled. */
export const sdlFeatures: readonly SdlFeature[] = [
  {
    name: 'object types, lists, non-null, arguments',
    how: 'served',
    test: named('schema-features', 'is executed as graphql does on a schema with %s'),
  },
  {
    name: 'interfaces, also of interfaces',
    how: 'served',
    test: every('an interface of an interface'),
  },
  { name: 'unions', how: 'served', test: every('a union') },
  {
    name: 'enums, with internal values',
    how: 'served',
    note: 'by the resolvers',
    test: every('an enum with internal values'),
  },
  {
    name: 'custom scalars',
    how: 'served',
    note: '`Api.scalars` has each',
    test: every('a custom scalar'),
  },
  { name: '`@specifiedBy`', how: 'served', test: every('@specifiedBy') },
  {
    name: 'whole numbers beyond 2^53',
    how: 'served',
    note: 'exact in custom scalars and `ID`, else refused',
    test: every('%s reaches a scalar and the client as it is'),
  },
  {
    name: 'input objects, default values',
    how: 'served',
    test: every('the defaults of input fields'),
  },
  { name: '`@oneOf`', how: 'served', test: every('refuses the choice %s') },
  {
    name: '`@deprecated` on fields, arguments, input fields and enum values',
    how: 'served',
    note: 'use is counted',
    test: every('counts the deprecated parts that documents and variables use'),
  },
  {
    name: '`@skip`, `@include`',
    how: 'served',
    test: every('@skip and @include'),
  },
  {
    name: 'directives of the API’s own',
    how: 'served',
    note: 'declared and passed through',
    test: every('a directive of its own'),
  },
  {
    name: '`@defer`, `@stream`',
    how: 'refused',
    test: named('sdl-faults', '3:1: found @defer or @stream, expected neither'),
  },
  { name: 'renamed roots', how: 'served', test: every('a renamed root') },
  {
    name: '`extend`',
    how: 'served',
    test: every('a type that is extended'),
  },
  {
    name: 'descriptions',
    how: 'served',
    note: 'in introspection and on `/docs/schema`',
    test: every('a description'),
  },
  {
    name: 'federation directives, versions 1 and 2',
    how: 'served',
    note: 'known and passed through',
    test: named('sdl-faults', 'version 2 with other names'),
  },
  {
    name: '`@bounds` on text, numbers, lists and input fields',
    how: 'served',
    note: 'a directive of that name with other arguments is the API’s own',
    test: named('bounds', 'judges %s'),
  },
  {
    name: '`@bounds` where it cannot hold',
    how: 'refused',
    test: named('bounds', 'stops the start when it is used wrongly: %s'),
  },
  {
    name: 'queries and mutations by POST',
    how: 'served',
    note: 'a mock answers JSON whatever `Accept` says, since clients of one server accept only its own types',
    test: named('protocol', 'audits of GraphQL over HTTP'),
  },
  {
    name: 'queries by GET',
    how: 'served',
    note: 'where `GRAPHQL_GET` is on',
    test: named('get', 'is answered as by POST, with variables and the name of its operation'),
  },
  {
    name: 'subscriptions, over server-sent events',
    how: 'served',
    note: 'graphql-sse, distinct connections; a stream ends when its client closes its side of the connection',
    test: named('subscriptions', 'is an event for each result, and one at the end'),
  },
  {
    name: 'bounds of subscriptions',
    how: 'served',
    note: '`GRAPHQL_SUBSCRIPTIONS`, `GRAPHQL_SUBSCRIPTION_LIFE`',
    test: named('subscriptions', 'in number: one more is 503'),
  },
  { name: 'GraphQL without REST', how: 'served', test: every('an API without a REST contract') },
  {
    name: 'Relay connections',
    how: 'served',
    note: '`edges`, `nodes`, `node` and `pageInfo` are no levels of depth',
    test: named('limits', 'The depth of Relay connections'),
  },
  {
    name: 'introspection',
    how: 'served',
    note: 'unless `INTROSPECTION` is off',
    test: named('document-validator', 'Introspection switched off'),
  },
  {
    name: 'faults that leave a single meaning',
    how: 'refused',
    note: 'a warning where a contract is only mocked',
    test: named(
      'sdl-faults',
      'may have faults that leave a single meaning: they are told with their place',
    ),
  },
  {
    name: 'a field, scalar or abstract type that nobody supplies',
    how: 'refused',
    test: named('sdl-faults', 'no scalar for Big, Small; expected one for each'),
  },
  {
    name: 'types of resolvers',
    how: 'served',
    note: 'graphql-codegen',
    test: named('generated-types', 'compile, and admit the resolvers that the schema wants'),
  },
  {
    name: 'the SDK in TypeScript',
    how: 'served',
    test: named('generated-types', 'in TypeScript compile'),
  },
  {
    name: 'interfaces and unions in the SDK in Python',
    how: 'served',
    note: 'one class for all of them, whose fields may be missing',
    test: named('generated-types', 'in Python have one class for an interface or a union'),
  },
];
