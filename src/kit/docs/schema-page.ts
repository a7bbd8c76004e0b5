import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import type { MockedParts } from '../mocked-parts.ts';
import type { Page } from './docs-page.ts';
import { inline } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import { mockedBadge, mockedFields } from './mocked-marks.ts';
import { broken } from './schema-view.ts';
import { typePicture } from './type-picture.ts';
import { typeUses } from './type-uses.ts';

/** Every type of the schema, in words and in a picture. */
export function schemaPage(schema: GraphQLSchema, mocked?: MockedParts): Page {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
    .toSorted((a, b) => rankOf(schema, a) - rankOf(schema, b));
  const uses = typeUses(schema);
  const directives = schema.getDirectives().filter((each) => !isSpecifiedDirective(each));
  const body = markup`
<h1>GraphQL schema</h1>
<p class="lead">${words(schema.description)}</p>
<p class="links"><a href="/docs/graphql">Try it in GraphiQL</a> <a href="/schema.graphql" download>Download the SDL</a></p>
${mockedFields(mocked)}
${picture(schema)}
${contents(
  schema,
  types,
  directives.map(({ name }) => name),
)}
${types.map((type) => typeSection(schema, type, uses.get(type.name) ?? [], mocked))}
${directives.map(
  ({ name, description, args }) => markup`<section class="type" aria-labelledby="@${name}">
<h2 id="@${name}">@${name} <span class="kind">directive</span></h2><p>${words(description)}</p>
<dl>${args.map(
    (each) =>
      markup`<dt><code>${each.name}: ${String(each.type)}</code></dt><dd>${words(each.description)}</dd>\n`,
  )}</dl></section>`,
)}`;
  return { title: 'GraphQL schema', body };
}

function picture(schema: GraphQLSchema): Markup {
  const drawn = typePicture(schema);
  if (!drawn) return markup`<p>The schema is too large for a picture of its types.</p>`;
  return markup`<div class="scroll picture" tabindex="0" role="region" aria-label="Picture of the types">${drawn}</div>`;
}

/** The root types come first, then the kinds of types, each in the order of the SDL. */
function rankOf(schema: GraphQLSchema, type: GraphQLNamedType): number {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const root = isObjectType(type) ? roots.indexOf(type) : -1;
  return root === -1 ? roots.length + kinds.indexOf(kindOf(type).split(',')[0] ?? '') : root;
}

const kinds = ['type', 'interface', 'union', 'input', 'enum', 'scalar'];
const titles = ['Types', 'Interfaces', 'Unions', 'Inputs', 'Enums', 'Scalars'];

/** Links to every type, by kind. */
function contents(
  schema: GraphQLSchema,
  types: readonly GraphQLNamedType[],
  directives: readonly string[],
): Markup {
  const groups = [...Map.groupBy(types, (type) => Math.max(2, rankOf(schema, type)))].map(
    ([rank, all]) => [titles[rank - 3] ?? 'Operations', all.map(({ name }) => name)] as const,
  );
  const named = directives.map((name) => `@${name}`);
  const lists = [...groups, ...(named.length > 0 ? [['Directives', named] as const] : [])].map(
    ([title, names]) =>
      markup`<p class="kinds"><strong>${title}</strong> ${names.map(
        (name) => markup`<a href="#${name}">${name}</a>\n`,
      )}</p>`,
  );
  return markup`<nav class="contents" aria-label="Types">${lists}</nav>`;
}

function typeSection(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  uses: readonly string[],
  mocked: MockedParts | undefined,
): Markup {
  return markup`<section class="type" aria-labelledby="${type.name}">
<h2 id="${type.name}">${type.name} <span class="kind">${kindOf(type)}</span></h2>
<p>${words(type.description)}</p>
${relations(schema, type)}<dl>${members(type, mocked)}</dl>
${usedBy(uses)}
</section>\n`;
}

function kindOf(type: GraphQLNamedType): string {
  if (isEnumType(type)) return 'enum';
  if (isInputObjectType(type)) return type.isOneOf ? 'input, one of' : 'input';
  if (isInterfaceType(type)) return 'interface';
  if (isUnionType(type)) return 'union';
  return isObjectType(type) ? 'type' : 'scalar';
}

/** What a type stands in relation to: its interfaces, the types that it may be, its specification. */
function relations(schema: GraphQLSchema, type: GraphQLNamedType): Markup {
  return markup`${[
    ...(isObjectType(type) || isInterfaceType(type)
      ? [linked('Implements', type.getInterfaces())]
      : []),
    ...(isUnionType(type) || isInterfaceType(type)
      ? [linked('Is one of', schema.getPossibleTypes(type))]
      : []),
    ...(isScalarType(type) && type.specifiedByURL
      ? [markup`<p>Specified by <a href="${type.specifiedByURL}">${type.specifiedByURL}</a></p>\n`]
      : []),
  ]}`;
}

const MOST_USES = 12;

/** The fields, arguments and types that a type stands in. */
function usedBy(uses: readonly string[]): Markup | '' {
  if (uses.length === 0) return '';
  const links = uses.map((use) => markup` <a href="#${use}">${broken(use)}</a>`);
  const [shown, rest] = [links.slice(0, MOST_USES), links.slice(MOST_USES)];
  const more =
    rest.length > 0 ? markup`<details><summary>${rest.length} more</summary>${rest}</details>` : '';
  return markup`<div class="uses">Used by${shown}${more}</div>`;
}

function linked(what: string, types: readonly GraphQLNamedType[]): Markup | '' {
  if (types.length === 0) return '';
  const links = types.map(({ name }) => markup` <a href="#${name}">${name}</a>`);
  return markup`<p>${what}${links}</p>\n`;
}

function members(type: GraphQLNamedType, mocked: MockedParts | undefined): readonly Markup[] {
  if (isEnumType(type)) {
    return type
      .getValues()
      .map(
        ({ name, description, deprecationReason }) =>
          markup`<dt><code>${name}</code></dt><dd>${words(description)}${deprecated(deprecationReason)}</dd>\n`,
      );
  }
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => inputEntry(type.name, field));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map((field) =>
    fieldEntry(type.name, field, mocked?.fields.has(`${type.name}.${field.name}`)),
  );
}

function inputEntry(owner: string, field: GraphQLInputField): Markup {
  const { name, type, description, deprecationReason } = field;
  return markup`<dt id="${owner}.${name}"><code>${name}: ${typeLink(String(type), getNamedType(type))}${written(field)}</code></dt>
<dd>${words(description)}${deprecated(deprecationReason)}</dd>\n`;
}

function fieldEntry(
  owner: string,
  field: GraphQLField<unknown, unknown>,
  isMocked: boolean | undefined,
): Markup {
  const { name, args, type, description, deprecationReason } = field;
  const list = args.map(
    (each) =>
      markup`<li><code>${each.name}: ${typeLink(String(each.type), getNamedType(each.type))}${written(each)}</code> ${words(each.description)}${deprecated(each.deprecationReason)}</li>`,
  );
  return markup`<dt id="${owner}.${name}"><code>${name}: ${typeLink(String(type), getNamedType(type))}</code>${mockedBadge(isMocked)}</dt>
<dd>${words(description)}${deprecated(deprecationReason)}${list.length > 0 ? markup`<ul>${list}</ul>` : ''}</dd>\n`;
}

/** The default and the directives of an argument or input field. */
function written({ astNode }: GraphQLArgument | GraphQLInputField): readonly string[] {
  const preset = astNode?.defaultValue;
  const directives = astNode?.directives ?? [];
  return [
    ...(preset ? [` = ${print(preset)}`] : []),
    ...directives.map((each) => ` ${print(each)}`),
  ];
}

function deprecated(reason: string | null | undefined): Markup | '' {
  return reason ? markup`<p class="mark deprecated">Deprecated: ${words(reason)}</p>` : '';
}

function typeLink(text: string, { name }: GraphQLNamedType): Markup {
  const [before = '', after = ''] = text.split(name);
  return /^(ID|Int|String|Boolean|Float)$/.test(name)
    ? markup`${text}`
    : markup`${before}<a href="#${name}">${name}</a>${after}`;
}

function words(text: string | null | undefined): Markup {
  return inline((text ?? '').replaceAll(/\s+/g, ' '));
}
