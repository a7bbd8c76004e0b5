import { type GraphQLSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import type { Level } from './change.ts';

type Said = { readonly message: string; readonly level?: Level };
type Meta = Readonly<Record<string, unknown>>;

/** What a difference of GraphQL Inspector means to a reader, and its level where the inspector's is not ours. */
export function createSentence(from: GraphQLSchema, to: GraphQLSchema) {
  const answers = answersOf(from).union(answersOf(to));
  const isOutput = (name: unknown) => answers.has(String(name));
  return (type: string, meta: Meta, fallback: string): Said => {
    const say = sentences[type];
    if (say) return say(meta, isOutput);
    return { message: `${fallback.replaceAll("'", '`')}.`.replace(/\.\.$/, '.') };
  };
}

type Say = (meta: Meta, isOutput: (name: unknown) => boolean) => Said;

const roots: Readonly<Record<string, string>> = {
  Query: 'The query',
  Mutation: 'The mutation',
  Subscription: 'The subscription',
};
const field = (meta: Meta, name: unknown = meta.fieldName) => {
  const root = roots[String(meta.typeName)];
  return root ? `${root} \`${name}\`` : `\`${name}\` of \`${meta.typeName}\``;
};
const argument = (meta: Meta, name: unknown = meta.argumentName) =>
  `the argument \`${name}\` of \`${meta.typeName}.${meta.fieldName}\``;
const Argument = (meta: Meta, name?: unknown) => argument(meta, name).replace(/^t/, 'T');

const sentences: Readonly<Record<string, Say>> = {
  FIELD_REMOVED: (meta) => ({
    message: `${field(meta, meta.removedFieldName)} is gone: operations that ask for it are refused.`,
  }),
  FIELD_ADDED: (meta) => ({
    message: `${field(meta, meta.addedFieldName)} is new (\`${meta.addedFieldReturnType}\`).`,
  }),
  FIELD_TYPE_CHANGED: (meta) => ({ message: fieldTypeText(meta) }),
  FIELD_DEPRECATION_ADDED: (meta) => ({
    message:
      `${field(meta)} is deprecated: it still works, and clients should stop using it. ${meta.deprecationReason ?? ''}`.trim(),
  }),
  FIELD_DEPRECATION_REMOVED: (meta) => ({ message: `${field(meta)} is no longer deprecated.` }),
  // A new optional argument changes nothing for those who do not send it, as a new parameter of REST.
  FIELD_ARGUMENT_ADDED: (meta) =>
    meta.isAddedFieldArgumentBreaking
      ? {
          message: `\`${meta.typeName}.${meta.fieldName}\` needs the new argument \`${meta.addedArgumentName}\` (\`${meta.addedArgumentType}\`): operations without it are refused.`,
        }
      : {
          level: 'safe',
          message: `\`${meta.typeName}.${meta.fieldName}\` takes the new argument \`${meta.addedArgumentName}\` (\`${meta.addedArgumentType}\`).`,
        },
  FIELD_ARGUMENT_REMOVED: (meta) => ({
    message: `\`${meta.typeName}.${meta.fieldName}\` no longer takes the argument \`${meta.removedFieldArgumentName}\`: operations that give it are refused.`,
  }),
  FIELD_ARGUMENT_TYPE_CHANGED: (meta) => ({
    message: inputText(
      Argument(meta),
      meta.oldArgumentType,
      meta.newArgumentType,
      meta.isSafeArgumentTypeChange,
    ),
  }),
  FIELD_ARGUMENT_DEFAULT_CHANGED: (meta) => ({
    message: `Without ${argument(meta)}, an operation now means \`${meta.newDefaultValue ?? 'nothing in particular'}\` (before: \`${meta.oldDefaultValue ?? 'nothing in particular'}\`).`,
  }),
  INPUT_FIELD_REMOVED: (meta) => ({
    message: `\`${meta.removedFieldName}\` of the input \`${meta.inputName}\` is gone: operations that give it are refused.`,
  }),
  INPUT_FIELD_ADDED: (meta) =>
    meta.isAddedInputFieldTypeNullable || meta.addedFieldDefault !== undefined
      ? {
          level: 'safe',
          message: `The input \`${meta.inputName}\` takes the new field \`${meta.addedInputFieldName}\` (\`${meta.addedInputFieldType}\`).`,
        }
      : {
          message: `The input \`${meta.inputName}\` needs the new field \`${meta.addedInputFieldName}\` (\`${meta.addedInputFieldType}\`): operations without it are refused.`,
        },
  INPUT_FIELD_TYPE_CHANGED: (meta) => ({
    message: inputText(
      `\`${meta.inputFieldName}\` of the input \`${meta.inputName}\``,
      meta.oldInputFieldType,
      meta.newInputFieldType,
      meta.isInputFieldTypeChangeSafe,
    ),
  }),
  INPUT_FIELD_DEFAULT_VALUE_CHANGED: (meta) => ({
    message: `Without \`${meta.inputFieldName}\`, the input \`${meta.inputName}\` now means \`${meta.newDefaultValue ?? 'nothing in particular'}\` (before: \`${meta.oldDefaultValue ?? 'nothing in particular'}\`).`,
  }),
  ENUM_VALUE_ADDED: (meta, isOutput) =>
    isOutput(meta.enumName)
      ? {
          message: `\`${meta.enumName}\` may now also be \`${meta.addedEnumValueName}\`: a client that knows only the values before may fail.`,
        }
      : {
          level: 'safe',
          message: `\`${meta.enumName}\`, which clients send, may now also be \`${meta.addedEnumValueName}\`.`,
        },
  ENUM_VALUE_REMOVED: (meta) => ({
    message: `The value \`${meta.removedEnumValueName}\` of \`${meta.enumName}\` is gone: operations that give it are refused.`,
  }),
  ENUM_VALUE_DEPRECATION_REASON_ADDED: (meta) => ({
    message: `The value \`${meta.enumValueName}\` of \`${meta.enumName}\` is deprecated: ${meta.addedValueDeprecationReason}`,
  }),
  UNION_MEMBER_ADDED: (meta) => ({
    message: `\`${meta.unionName}\` may now also be a \`${meta.addedUnionMemberTypeName}\`: a client that knows only the types before gets none of its fields.`,
  }),
  UNION_MEMBER_REMOVED: (meta) => ({
    message: `\`${meta.unionName}\` is no longer a \`${meta.removedUnionMemberTypeName}\`: operations that ask for that type are refused.`,
  }),
  OBJECT_TYPE_INTERFACE_ADDED: (meta) => ({
    message: `\`${meta.objectTypeName}\` is now a \`${meta.addedInterfaceName}\` too: clients that ask for \`${meta.addedInterfaceName}\` may be given it.`,
  }),
  OBJECT_TYPE_INTERFACE_REMOVED: (meta) => ({
    message: `\`${meta.objectTypeName}\` is no longer a \`${meta.removedInterfaceName}\`: operations that read it as one are refused.`,
  }),
  DIRECTIVE_REMOVED: (meta) => ({
    message: `The directive \`@${meta.removedDirectiveName}\` is gone: operations that use it are refused.`,
  }),
  DIRECTIVE_ADDED: (meta) => ({
    message: `The directive \`@${meta.addedDirectiveName}\` is new.`,
  }),
  DIRECTIVE_LOCATION_REMOVED: (meta) => ({
    message: `The directive \`@${meta.directiveName}\` may no longer stand on \`${meta.removedDirectiveLocation}\`: operations that have it there are refused.`,
  }),
  DIRECTIVE_ARGUMENT_REMOVED: (meta) => ({
    message: `The directive \`@${meta.directiveName}\` no longer takes the argument \`${meta.removedDirectiveArgumentName}\`: operations that give it are refused.`,
  }),
  TYPE_ADDED: (meta) => ({ message: `The type \`${meta.addedTypeName}\` is new.` }),
  TYPE_REMOVED: (meta) => ({
    message: `The type \`${meta.removedTypeName}\` is gone: operations that name it are refused.`,
  }),
  TYPE_KIND_CHANGED: (meta) => ({
    message: `\`${meta.typeName}\` is another kind of type: operations that use it as before are refused.`,
  }),
  SCHEMA_QUERY_TYPE_CHANGED: () => ({
    message: 'Reads start from another type: all of them are refused or mean something else.',
  }),
  SCHEMA_MUTATION_TYPE_CHANGED: ({ oldMutationTypeName }) => ({
    message:
      oldMutationTypeName === null
        ? 'Writes are new.'
        : 'Writes start from another type, or there are none any more.',
  }),
  SCHEMA_SUBSCRIPTION_TYPE_CHANGED: ({ oldSubscriptionTypeName }) => ({
    message:
      oldSubscriptionTypeName === null
        ? 'Subscriptions are new.'
        : 'Subscriptions start from another type, or there are none any more: those of today are refused.',
  }),
};

function fieldTypeText(meta: Meta): string {
  const [was, is] = [String(meta.oldFieldType), String(meta.newFieldType)];
  const noun = field(meta);
  if (was === `${is}!`)
    return `${noun} may now be null (\`${is}\`, was \`${was}\`): a client that relies on a value may fail.`;
  if (is === `${was}!`) return `${noun} is now never null (\`${is}\`, was \`${was}\`).`;
  const isSafe = meta.isSafeFieldTypeChange === true;
  return `${noun} is now \`${is}\` (before: \`${was}\`)${isSafe ? '.' : ': clients that read it as before fail.'}`;
}

function inputText(noun: string, was: unknown, is: unknown, isSafe: unknown): string {
  if (is === `${was}!`)
    return `${noun} is now required (\`${is}\`): operations without it are refused.`;
  if (was === `${is}!`) return `${noun} is now optional (\`${is}\`).`;
  return `${noun} is now \`${is}\` (before: \`${was}\`)${isSafe ? '.' : ': operations that give it as before are refused.'}`;
}

/** The names of all types that answers are made of. */
function answersOf(schema: GraphQLSchema): Set<string> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) || isInterfaceType(type),
  );
  const own = types.filter(({ name }) => !name.startsWith('__'));
  const fields = own.flatMap((type) => Object.values(type.getFields()));
  return new Set(fields.map(({ type }) => getNamedType(type).name));
}
