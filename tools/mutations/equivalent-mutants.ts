/** Mutants that no test can notice, by their id, with the reason. */
export const equivalentMutants: Readonly<Record<string, string>> = {
  // api/demo.ts
  '92ab74c329': 'each collection of this API has sample records of its own',
  // api/api.ts
  e1b6f41698: 'the kit has this policy where an API declares none',
  // kit/cli/contract/linear-pattern.ts
  '3c2f6fec86': 'a pattern that is judged again is judged alike',
  // kit/cli/review/json-lines.ts
  b45abd5ed5: 'behind the end of the text there is no character',
  '2ae6792745': 'behind the end of the text there is no character',
  ee148c1531: 'of a level that is not looked for nothing is entered',
  // kit/cli/review/keyword-diff.ts
  bd455f8a66: 'bounds that are equal are left out before',
  '548c6e8c8e': 'bounds that are equal are left out before',
  // kit/cli/review/locate.ts
  '8ae337acb6': 'more places are looked for, and each has its own line',
  '74f29abea8': 'the schema is built again, and is the same',
  // kit/cli/review/openapi-diff.ts and operation-diff.ts
  '1a24f18752': 'every value that is told has a text',
  '90cefa03f3': 'what is told twice of one place is kept once',
  c2be72d459: 'what is told twice of one place is kept once',
  '2129b2287a': 'what is told twice of one place is kept once',
  // kit/cli/review/operation-parts.ts
  '5c4a5b3311': 'no schema and an empty one admit the same',
  '52bfe3c8d2': 'every parameter says where it is',
  // kit/cli/review/problems.ts
  '47a814eaef': 'the condition only saves the errors of the version before',
  // kit/cli/review/property-diff.ts, schema-form.ts and subject-rows.ts
  ca3da9f31e: 'no member is called undefined',
  e635a5930c: 'no member is called undefined',
  '0dc5e8a6f5': 'no member is called undefined',
  // kit/cli/review/raw-lines.ts and reach.ts
  beb95998dd: 'behind the end of a text there is no line that the other has',
  '4b7feb956d': 'behind the end of a text there is no line that the other has',
  f1ed6e8929: 'what a part refers to is looked for again, and is the same',
  // kit/cli/review/schema-diff.ts, schema-facts.ts and schema-text.ts
  '64b1cbac5c': 'the condition only saves time: equal schemas have no difference',
  '3c7415bc59': 'the condition only saves time: equal schemas have no difference',
  '371dcd45b9': 'no schema and one that is true admit the same',
  '988b8fbf7a': 'no schema and one that is true admit the same',
  '2bde4720b7': 'a schema without allOf is flattened to itself',
  '37863825d9': '2 ** 63 is so large that one more or less is the same number',
  c632ae0edc: 'the order of the types does not count',
  // kit/cli/review/sdl-diff.ts and sdl-sentence.ts
  e544179061: 'where there is no field there is nothing behind it',
  cd9a79103b: 'only enums are asked for, and those of introspection have names of their own',
  // kit/cli/review/review.ts, security-diff.ts, summary.ts and version.ts
  b7f9ff34d5: 'more places are looked for, and each has its own line',
  '5401618826': 'one change is told in a sentence, however much room there is',
  d902b90b7d: 'no scheme has an empty name',
  '74417a897c': 'no scheme has an empty name',
  fc5d45fbea: 'every group has a change, and every change a message',
  c1c6127e70: 'the numbers are those that differ',
  // kit/cli/review/exchanges.ts
  '37ff4097db': 'the command ends when its servers have stopped, awaited or not',
  // kit/cli/proxy/proxy-server.ts
  '98b4affd35': 'the connection of a body that is cut short is gone',
  // kit/cli/dev/missing.ts
  f5990bb7e9: 'a text that is split has a first line',
  // kit/cli/sdk/typescript/runtime
  '4408d892f8': 'Object makes an empty object of undefined, too',
  d6ee78f318: 'the condition only saves the parsing of an answer that has no such word',
  cb575187de: 'of an object the items are not used',
  '7ee2ea6de8': 'join has commas where it is given no separator',
  efa64ea376: 'of two equal positions either is the later one',
  // kit/cli/test
  '9041d45751': 'join has commas where it is given no separator',
  fd780719e5: 'a field that needs no arguments always has a text',
  // kit/docs/markdown.ts
  '0ef61515fd': 'behind the last line there is none',
  '8a719d98d4': 'behind the last line there is none',
  '67eb8dcc5a': 'behind the last line there is none',
  // kit/docs/operation-page.ts
  '69d0e0d50e': 'no words are no paragraphs',
  '1dc1eea595': 'no words are no paragraphs',
  f2c8705e24: 'what has no schema may be any value, as what has an empty one',
  e91058d202: 'what has no schema may be any value, as what has an empty one',
  '7b98bbb498': 'what has no schema may be any value, as what has an empty one',
  // kit/docs/operation-samples.ts
  d2791f7eb1: 'a value that is not there has no text either',
  // kit/docs/rest-reference.ts
  '19c6f17a8a': 'one more is kept; what is not is made again, and is the same',
  '9a83dddc9b': 'a name is looked for in both',
  // kit/docs/sample-thread.ts
  '7090bded58': 'the numbers of questions need only differ from each other',
  '5a1d01e79f': 'the question before the answer has cleared it',
  // kit/docs/schema-page.ts and schema-view.ts
  '807c2f8fc2': 'no words are no paragraphs',
  '1c3dc3bf9b': 'no views are no text, as a list and as a text',
  aa75f5d65c: 'no views are no text, as a list and as a text',
  // kit/docs/schema-terms.ts and try-form.ts
  f79a5da0c2: 'every value of a contract can be written as JSON',
  c5526c9a1d: 'the word "undefined" is one line, as no text is',
  // kit/contract/usable-default.ts
  b53fd6635f: 'the condition only saves time: Ajv judges plain types alike',
  '3ca562ce98': 'the condition only saves time: Ajv judges plain types alike',
  // kit/contract/json-check.ts
  c3da266606: 'a sum and a difference of two whole numbers are even together',
  '5e0967ad26': 'behind the end of the text there is no character',
  '3ff70fa1ca': 'the condition only saves time: the YAML parser finds no name twice',
  '8ebc16a972': 'the condition only saves time: the YAML parser finds no name twice',
  // kit/contract/path-template.ts
  '446f7e4da6': 'what is looked for stands behind the first character',
  a2e71e3ff5: 'what is looked for stands behind the first character',
  // kit/contract/references.ts
  '7a72fc74cb': 'the condition only saves time: what is sound is found sound again',
  d81ef834fa: 'what is not kept is looked at again, and is as sound',
  '3bba07293b': 'what is not kept is looked at again, and is as sound',
  // kit/contract/routes.ts
  c4ce4e5bf5: 'the condition only saves time: without % there is nothing to decode',
  cf8c43bb5b:
    'the condition only saves time: a pattern without text has every segment, and is the last',
  b704ca53b3:
    'the condition only saves time: a pattern without text has every segment, and is the last',
  ca3dfa407d:
    'the condition only saves time: a pattern without text has every segment, and is the last',
  '7f4924910d': 'what is not found is made again, and both are looked at',
  '69e0dbc24b': 'what is not found is made again, and both are looked at',
  // kit/contract/schema-forms.ts
  '295c2f0a42': 'what is not kept is made again, and is the same',
  // kit/contract/validator-document.ts
  '25a4fd084b': 'the validator is asked about requests alone',
  // kit/contract/dialect.ts
  '5200778c1e': 'a keyword without a value is none',
  '7ec0bd1d85': 'what is not kept is made again, and is the same',
  // kit/contract/unserved-features.ts
  bf2cf8500e: 'two values are equal in both directions',
  // kit/contract/media-type.ts
  '7bedf877d1': 'behind the end of the text there is no character',
  // kit/contract/contract-source.ts
  c353535797: 'the condition only saves time: what else JSON reads, YAML reads alike',
  // kit/contract/contract.ts
  '7e11cae466': 'the condition only saves time: no reference has a character that is encoded',
  '528328485a': 'one more is kept; what is not is made again, and is the same',
  // kit/graphql/statement-arguments.ts
  '102718e65d': 'nobody reads why a list is not written in SQL',
  '64c3bd9b60': 'nobody reads why a list is not written in SQL',
  // kit/graphql/bounds.ts
  '1b15801b45': 'what is not kept is made again, and is the same',
  '4660304777': 'what is made again is the same',
  // kit/graphql/bounds-faults.ts
  '2bd1b0339d': 'the condition only saves the count: so many units are too many characters',
  // kit/graphql/context.ts
  d2e14a2290: 'no arguments are read as what asks for everything',
  eaad45017c: 'sets the loader that is there',
  '3ec2de3146': 'no arguments have another text as their key, which nobody else has',
  // kit/graphql/deprecated-use.ts
  e69d82eacb: 'where nothing is deprecated the walk finds nothing',
  '4659c7a06e': 'the walk is made for every schema, and finds what is deprecated',
  // kit/graphql/limits/measure.ts
  f1158a89ee: 'the condition only saves time: of what is not there nothing is counted',
  // kit/graphql/result-reply.ts
  d0c7190b1e: 'what is not plain is answered by graphql-http, with the same bytes',
  a8a59b8bf1: 'what is not plain is answered by graphql-http, with the same bytes',
  '52f415b777': 'what is not plain is answered by graphql-http, with the same bytes',
  '59ba0e5b4d': 'what is not plain is answered by graphql-http, with the same bytes',
  c58a67f935: 'what has data and errors graphql-http answers with the same bytes',
  // kit/graphql/operation-plans.ts
  '9b9c1db069': 'what one statement may not read is read by several, and is the same',
  // kit/graphql/fitting-variables.ts
  '7f0b0d7ebe': 'the condition only saves time: without variables there is nothing to read',
  // kit/graphql/exact-scalars.ts
  da954e5a0d: 'the condition only saves time: what has no large number is read alike',
  '16f7c91880': 'two values are equal in both directions',
  '1099879559': 'the scalars of the specification read literals themselves, and give no bigint',
  c96ebd53cd: 'what has no large number is read alike',
  // kit/graphql/exact-numbers.ts
  '0f683bc93e': 'a map without members restores nothing',
  '051d6b0775': 'a map without members restores nothing',
  // kit/graphql/executable-schema.ts
  '5f21488acb': 'without resolvers graphql-tools copies the schema, which only takes time',
  '974b1f8f5a': 'without resolvers graphql-tools copies the schema, which only takes time',
  a3315c5799: 'without resolvers graphql-tools copies the schema, which only takes time',
  '87ae0c1704':
    'the condition only saves time: what is not known from before is refused alike twice',
  // kit/graphql/graphql-endpoint.ts
  '775d0a73a0': 'without custom scalars there is no bigint in the data that is looked through',
  a2c459ee1d: 'the lane only saves time: graphql-http answers with the same bytes',
  '105a396612': 'the lane only saves time: graphql-http answers with the same bytes',
  bee5b2a8d2: 'the lane only saves time: graphql-http answers with the same bytes',
  '930e75fa80': 'the lane only saves time: graphql-http answers with the same bytes',
  '86cada419d': 'the lane only saves time: graphql-http answers with the same bytes',
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
  // kit/graphql/execution.ts
  '399c77bbe8': 'compiled as a mutation it answers alike, which only takes more CPU',
  a6be517bef: 'compiled as a mutation it answers alike, which only takes more CPU',
  // kit/graphql/documents.ts
  '724f0b21b5': 'the size of a document is an even number of bytes',
  // kit/graphql/federation.ts
  f2bf289ae1: 'the look at the text only saves time: the tree has the same directives',
  '1a0211f560': 'the look at the text only saves time: the tree has the same directives',
  // kit/graphql/collected-fields.ts
  '9e4ed667fe': 'the condition only bounds the work: a field that is collected again is the same',
  '41ccf71860': 'the condition only bounds the work: a field that is collected again is the same',
  fae5e79b5a: 'the condition only bounds the work: a field that is collected again is the same',
  // kit/http/body.ts
  '9b38e7030d': 'the condition only saves a copy of a body that came in one piece',
  '512c1d5d19': 'what is collected beyond the limit is thrown away, and the promise has settled',
  // kit/http/drain.ts
  '32840ca0d3': 'only whether the count has changed is asked, and it is compared with -1 first',
  // kit/http/exact-json.ts
  '5b80943919': 'behind the end of the text there is no character',
  '57737ca4bf': 'no JSON has an exclamation mark outside of its texts',
  '4d43030f7d': 'the condition only saves the way through a number and back',
  c83d0eb3f8: 'the condition only saves the way through a number and back',
  b86710f409: 'the sum of two numbers is odd where their difference is',
  // kit/http/multipart.ts
  b263d82f2f: 'the condition only saves a copy',
  '4f6cc5bded': 'from its start on the rest is the rest',
  // kit/http/overload.ts
  ff9b580946: 'it only saves time: there is room for so few by the other conditions too',
  // kit/http/reply.ts
  '5f6cd0f855': 'the condition only saves a list for each header',
  c30e5b1cf4: 'the condition only saves a list for each header',
  // kit/http/request-id.ts
  '7aac55f768': 'nobody is told where the count begins',
  // kit/http/request-turns.ts
  '4ffecbcfcc': 'a context without a client is as none',
  // kit/http/target.ts
  '9002ea5dbb': 'behind the end of the list there is no header',
  // kit/http/upload-spool.ts
  fa4b22d86f: 'nobody waits for the listener, and its last statement handles its own failure',
  '84d76ea29b':
    'the first file begins one byte later; all offsets are counted from where it begins',
  // kit/http/read-positions.ts
  '6c7bc19f26': 'the later of two is the same in either order',
  // kit/observe/counters.ts
  '849b59a37e': 'the text of one value tells it from others as well',
  // kit/observe/log.ts
  fd990272db: 'the condition only saves the replacement in a text that has nothing to replace',
  '461c3c53b0': 'only the first line of 1970 would be of that second',
  bcf39c5921: 'the text of a second is made again, and is the same',
  // kit/observe/log-sinks.ts
  d84be29524: 'what is written whole ends with the end of a line',
  acdb54460c: 'whether it is free is asked again before the next is taken, and that writes',
  // kit/observe/response-sample.ts
  '1a0fa25cd9': 'names and values are as many as each other',
  acd178e0b8: 'behind the last header there is none, and a header of no name is not looked for',
  // kit/observe/traces.ts
  b630e096ad: 'the SDK takes no invalid span for a parent either',
  // kit/mock/collection-kind.ts
  d695f91bd6: 'an id is a number or a text, and one of the others is the same',
  // kit/mock/mock-answer.ts and stateful-answer.ts
  '383b33f4a3': 'one more is kept; what is not is made again, and is the same',
  b0bd46ef6b: 'an answer that is not kept is made again, and is the same',
  '867b6521e7': 'one more is kept; what is not is made again, and is the same',
  a297d503b8: 'the numbers of draws need only differ from each other',
  '7bd5c67e0c': 'an answer without a body is the same with a record',
  // kit/mock/mock-page.ts
  '2e95f5f79b': 'a page before the first would begin below zero',
  cac901e474: 'a page before the first would begin below zero',
  fee3fe6463: 'where there is one link there are two',
  // kit/mock/more-members.ts
  e9e67b81e3: 'how many names are tried is not promised',
  '8b146516b4': 'what was not changed is refused in every round',
  '71415fbcb9': 'what was not changed is refused in every round',
  // kit/mock/pattern-text.ts
  '546d9f7cae': 'how many texts are tried is not promised',
  dadd93f51c: 'the first try sets it before it is read',
  // kit/mock/one-of.ts
  aa486289b7: 'the next schema is behind another one: it is never the first',
  '807510b423': 'the next schema is behind another one: it is never the first',
  '92d4665808': 'a set of nothing is an empty one',
  '9c9e99ecd1': 'a name that is not there is not found either way',
  // kit/mock/random-value.ts
  '292f62b396': 'an object without members of its own adds nothing to its parts',
  '1d13cb80d9': 'beside parts a list of its own does not count: the last part does',
  '98ef0d7a35': 'words are never empty',
  a792b4a5f0: 'the repair cuts what is too long in the same way',
  da4ea252d4: 'there is always a value',
  e66e8e9cc7: 'a single object is the last one',
  '46841d2b96': 'a text that is still too short is repaired',
  // kit/mock/excessive-schema.ts
  c0ca8c0008: 'what is not kept is looked for again, and is the same',
  '0895835010': 'what is no schema has no members',
  // kit/mock/record-fit.ts, repair.ts and sample.ts
  '4ada303b1b': 'what was not changed is refused in every round',
  f535b55683: 'what was not changed is refused in every round',
  '82b9e2b496': 'what was not changed is refused in every round',
  b2a55d4fc9: 'what was not changed is refused in every round',
  '42a3e33508': 'what is set is taken out again',
  be17546b7b: 'no number is below NaN, as none is below 0',
  '01b534f26e': 'no number that is drawn is 0.8',
  efce6913dc: 'a text that is still too short is repaired',
  // kit/mock/repair.ts
  efd9376587: 'what was not changed is refused in every round',
  '11e68478c4': 'a list of what has no end is admitted with no such item either',
  // kit/mock/sample.ts
  '960cc22a6f': 'the condition only saves time: the text is made again, and is the same',
  b05b83d32c: 'the condition only saves time: the sample is made again, and is the same',
  // kit/mock/pattern-parts.ts
  b2e7fdaea7: 'the last character is no multiple of 4096',
  // kit/fair-turn.ts
  d713843af6: 'no turn begins in the first millisecond of a process',
  // kit/json-text.ts
  '14060d5299': 'the characters of a text joined are the text',
  // kit/serve.ts
  '8dc7da37c3': 'the two contexts are independent of each other',
  // kit/process/kept-checks.ts
  '8f4c9a3d19': 'only Windows has no O_NONBLOCK',
  d50cd4457c: 'only Windows has no getuid',
  // kit/process/migrate-command.ts
  '74fc887cb3': 'without an address the check is the one for SQLite, once more',
  // kit/process/settings.ts
  '3921ceb2ce': 'the filter only saves time: more letters apart are more edits apart',
  c110ebd45d: 'the filter only saves time: more letters apart are more edits apart',
  '9a9b87c874': 'the distance is the same in both directions',
  f9969caef9: 'the distance is the same in both directions',
  // kit/rest/parameter-cookie.ts
  '91b8e482f3': 'the condition only saves time: without % there is nothing to decode',
  // kit/rest/declared-replies.ts
  dc873794b9: 'the condition only saves time: of one media type that one is chosen',
  f4cf933622: 'the condition only saves time: a copy without a change has the same headers',
  // kit/rest/example-records.ts
  a73feb5525: 'of two records the first says already that there is one',
  // kit/rest/validator.ts
  '88ace1541c':
    'the condition only saves time: without such names no schema asks what is inherited',
  // kit/rest: the sizes of caches and groups
  '83a4862500': 'what is not kept is made again, and is the same',
  d222c30f23: 'one more is kept; what is not is made again, and is the same',
  ded513bc06: 'one more is kept; what is not is made again, and is the same',
  d71bad1c1c: 'one more is kept; what is not is made again, and is the same',
  adaf3411c1: 'one more is kept; what is not is made again, and is the same',
  '1f49c6e0ba': 'an instance judges the operations of a group alike, however many they are',
  // kit/sdk
  bfe8402406: 'no description is written as an empty one is',
  '00292138c6': 'what has no reference is resolved to itself',
  '4315ebd76c': 'a name that an operation of the group has is not given out again',
  a7e51d94c4: 'what is not in the order comes first, as JSON does in it',
  // kit/store/collection-piece.ts
  e308df48b0: 'the sum of 0 for each row is never too long: the condition only saves the sum',
  // kit/store/copy-database.ts
  b00e746569: 'a connection carries out its statements in order',
  '0c508e741b': 'the command ends when its session has ended, awaited or not',
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
  // kit/store/relations.ts
  '29df702248': 'without rules a row is always inserted',
  // kit/store/replica-reading.ts
  '2d3fffcdcd': 'of two equal positions either is the later one',
  // kit/store/sqlite/sqlite-backup.ts
  '8600076ea6': 'SQLite removes the journal itself when it closes the file',
  f77cde698c: 'SQLite keeps a connection that is closed until its backup is over',
  // kit/store/sqlite/sqlite-catalogue.ts
  f798e9ee8d: 'two names are the same in either order',
  // kit/store/sqlite/group-commit.ts
  '61ad3bdacf': 'a transaction without a write changes nothing',
  // kit/store/sqlite/sqlite-dialect.ts
  '32475c33f0': 'joined texts are the same JSON',
  '7e88376711': 'joined texts are the same JSON',
  '6a4f2f30ba': 'joined texts are the same JSON',
  '7afba29e0f': 'what is never NULL is not left out',
  // kit/store/sqlite/sqlite-statements.ts
  '84445fed6b': 'the end of the transaction releases the savepoint',
  '78618e8bba': 'the end of the transaction releases the savepoint',
  // kit/store/sqlite/sqlite-tokens.ts
  e9c9b01b3b: 'what is looked for stands behind the first character',
  d1a42c4038: 'what is looked for stands behind the first character',
  // kit/store/postgres/postgres-dialect.ts
  '45e61db32f': 'what is never NULL is not left out',
  // kit/store/postgres/session.ts
  d4354a6290: 'nobody asks whether a socket has listeners',
  // kit/store/postgres/writer-pool.ts
  '67258b3c1f': 'the wait is aborted when the race is over',
  // kit/store/migration-check.ts
  '1a96aa6968': 'the command ends when its session has ended, awaited or not',
  // kit/store/postgres/replica-reads.ts
  c86882ed86: 'the later of two positions is the same in either order',
};
