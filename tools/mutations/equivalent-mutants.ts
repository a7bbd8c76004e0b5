/** Mutants that no test can notice, by their id, with the reason. */
export const equivalentMutants: Readonly<Record<string, string>> = {
  // kit/docs/markdown.ts
  '0ef61515fd': 'behind the last line there is none',
  '8a719d98d4': 'behind the last line there is none',
  '67eb8dcc5a': 'behind the last line there is none',
  // kit/docs/rest-reference.ts
  '19c6f17a8a': 'one more is kept; what is not is made again, and is the same',
  '9a83dddc9b': 'a name is looked for in both',
  // kit/docs/schema-page.ts and schema-view.ts
  '749c34bc4e': 'no lines are no text, as a list and as a text',
  '1c3dc3bf9b': 'no views are no text, as a list and as a text',
  aa75f5d65c: 'no views are no text, as a list and as a text',
  // kit/graphql/context.ts
  eaad45017c: 'sets the loader that is there',
  '3ec2de3146': 'no arguments have another text as their key, which nobody else has',
  // kit/graphql/exact-numbers.ts
  '0f683bc93e': 'a map without members restores nothing',
  '051d6b0775': 'a map without members restores nothing',
  // kit/graphql/executable-schema.ts
  '5f21488acb': 'without resolvers graphql-tools copies the schema, which only takes time',
  '974b1f8f5a': 'without resolvers graphql-tools copies the schema, which only takes time',
  a3315c5799: 'without resolvers graphql-tools copies the schema, which only takes time',
  // kit/graphql/graphql-endpoint.ts
  '775d0a73a0': 'without custom scalars there is no bigint in the data that is looked through',
  // kit/graphql/mock-fields.ts
  a91728a160: 'only fields of the subscription type are asked for their source',
  // kit/graphql/relation-fields.ts
  '02642d3d62': 'sets the loader that is there',
  // kit/graphql/result-reply.ts
  '488bb071bf': 'graphql-http only asks whether there are errors, and its text is not sent',
  // kit/graphql/statement-arguments.ts
  '6e4ee8e1e1': 'arguments without variables are the same each time that they are read',
  // kit/graphql/unknown-members.ts
  '3b0f730f21': 'counts on where there are too many already',
  '07808bf93a': 'counts on where there are too many already',
  // kit/http/body.ts
  '9b38e7030d': 'the condition only saves a copy of a body that came in one piece',
  // kit/http/drain.ts
  '32840ca0d3': 'only whether the count has changed is asked, and it is compared with -1 first',
  // kit/http/exact-json.ts
  '5b80943919': 'behind the end of the text there is no character',
  '57737ca4bf': 'no JSON has an exclamation mark outside of its texts',
  '4d43030f7d': 'the condition only saves the way through a number and back',
  c83d0eb3f8: 'the condition only saves the way through a number and back',
  // kit/http/multipart.ts
  b263d82f2f: 'the condition only saves a copy',
  '4f6cc5bded': 'from its start on the rest is the rest',
  // kit/http/reply.ts
  '5f6cd0f855': 'the condition only saves a list for each header',
  c30e5b1cf4: 'the condition only saves a list for each header',
  // kit/http/request-id.ts
  '7aac55f768': 'nobody is told where the count begins',
  // kit/http/target.ts
  '9002ea5dbb': 'behind the end of the list there is no header',
  // kit/http/upload-spool.ts
  fa4b22d86f: 'nobody waits for the listener, and its last statement handles its own failure',
  '84d76ea29b':
    'the first file begins one byte later; all offsets are counted from where it begins',
  // kit/observe/log.ts
  fd990272db: 'the condition only saves the replacement in a text that has nothing to replace',
  '461c3c53b0': 'only the first line of 1970 would be of that second',
  bcf39c5921: 'the text of a second is made again, and is the same',
  // kit/observe/log-sinks.ts
  d84be29524: 'what is written whole ends with the end of a line',
  acdb54460c: 'whether it is free is asked again before the next is taken, and that writes',
  // kit/observe/response-sample.ts
  '1a0fa25cd9': 'names and values are as many as each other',
  // kit/mock/collection-kind.ts
  d695f91bd6: 'an id is a number or a text, and one of the others is the same',
  // kit/mock/mock-answer.ts and stateful-answer.ts
  '383b33f4a3': 'one more is kept; what is not is made again, and is the same',
  b0bd46ef6b: 'an answer that is not kept is made again, and is the same',
  '867b6521e7': 'one more is kept; what is not is made again, and is the same',
  // kit/mock/one-of.ts
  aa486289b7: 'the next schema is behind another one: it is never the first',
  '807510b423': 'the next schema is behind another one: it is never the first',
  '92d4665808': 'a set of nothing is an empty one',
  '9c9e99ecd1': 'a name that is not there is not found either way',
  // kit/mock/random-value.ts
  da4ea252d4: 'there is always a value',
  e66e8e9cc7: 'a single object is the last one',
  // kit/process/kept-checks.ts
  '8f4c9a3d19': 'only Windows has no O_NONBLOCK',
  d50cd4457c: 'only Windows has no getuid',
  // kit/process/settings.ts
  '3921ceb2ce': 'the filter only saves time: more letters apart are more edits apart',
  c110ebd45d: 'the filter only saves time: more letters apart are more edits apart',
  '9a9b87c874': 'the distance is the same in both directions',
  f9969caef9: 'the distance is the same in both directions',
  // kit/rest: the sizes of caches and groups
  d222c30f23: 'one more is kept; what is not is made again, and is the same',
  ded513bc06: 'one more is kept; what is not is made again, and is the same',
  d71bad1c1c: 'one more is kept; what is not is made again, and is the same',
  adaf3411c1: 'one more is kept; what is not is made again, and is the same',
  '1f49c6e0ba': 'an instance judges the operations of a group alike, however many they are',
  // kit/store/collection-piece.ts
  e308df48b0: 'the sum of 0 for each row is never too long: the condition only saves the sum',
  // kit/store/json-query-sql.ts
  '72cf91d1f7': 'the names of selections need only differ from each other',
  '5767bb293f': 'the sum of 0 for each row is never too long: the condition only saves the sum',
  '1523cf41c7': 'a list has no more records than are asked for',
  fb3fd4ab9a: 'of a column that is never NULL coalesce gives its value',
  // kit/store/question-sql.ts
  c3138fdd87: 'the rows of each parent meet the conditions already',
  // kit/store/listing.ts
  df7af4c165: 'a question that asks for nothing is the same as the plain one',
  // kit/store/migration-check.ts and migration-draft.ts
  '7c1d678ed4': 'a database in memory is freed with its object',
  '1cdccbcf72': 'a database in memory is freed with its object',
  c6bdd0c997: 'an empty text is stored as false too',
  // kit/store/migrations.ts
  '770ecb452a': 'a migration that is unknown is none that is known',
  '045d52b300': 'a migration that is missing is none that is applied',
  // kit/store/replica-reading.ts
  '2d3fffcdcd': 'of two equal positions either is the later one',
  // kit/store/sqlite/sqlite-catalogue.ts
  b04cb93424: 'no statement begins with WHERE',
  // kit/store/sqlite/group-commit.ts
  b18425c4ed: 'the group is taken at once by the first of several flushes',
  '61ad3bdacf': 'a transaction without a write changes nothing',
  // kit/store/sqlite/sqlite-dialect.ts
  '32475c33f0': 'joined texts are the same JSON',
  '7e88376711': 'joined texts are the same JSON',
  '6a4f2f30ba': 'joined texts are the same JSON',
  '7afba29e0f': 'what is never NULL is not left out',
  // kit/store/sqlite/sqlite-statements.ts
  '84445fed6b': 'the end of the transaction releases the savepoint',
  // kit/store/postgres/postgres-dialect.ts
  '45e61db32f': 'what is never NULL is not left out',
  // kit/store/postgres/session.ts
  d4354a6290: 'nobody asks whether a socket has listeners',
  // kit/store/postgres/writer-pool.ts
  '67258b3c1f': 'the wait is aborted when the race is over',
};
