import { STATUS_CODES } from 'node:http';
import {
  type Document,
  type HeaderObject,
  type MediaTypeObject,
  type ResponseObject,
  resolve,
} from '../contract/openapi-document.ts';
import type { Operation, Parameter } from '../contract/operation.ts';
import type { Direction } from '../contract/schema-forms.ts';
import { type LinkOf, markdown } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import type { OperationSamples } from './operation-samples.ts';
import { programTabs } from './program-tabs.ts';
import { operationHref, type ReferenceEntry } from './reference-entries.ts';
import { coded, termsOf } from './schema-terms.ts';
import { broken, type FieldEntry, type SchemaView } from './schema-view.ts';
import { tryForm } from './try-form.ts';

type Parts = {
  readonly document: Document;
  readonly entry: ReferenceEntry;
  readonly view: SchemaView;
  readonly linkOf: LinkOf;
  /** Why there are none, where they could not be made; undefined for what the API itself sends. */
  readonly samples: OperationSamples | string | undefined;
  readonly hasOperation: (id: string) => boolean;
};

/** What the contract says of an operation, programs that call it, and a form that does. */
export function operationBody(parts: Parts): Markup {
  const { document, entry, linkOf, samples } = parts;
  const { operation, title, place, group } = entry;
  const { method, object } = operation;
  const isMade = typeof samples === 'object';
  const aside = isMade
    ? markup`${programTabs(samples)}${answerView(samples)}${tryForm(document, operation, samples)}`
    : '';
  return markup`<p class="eyebrow">${group}</p>
<h1>${title}</h1>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code class="endpoint-path">${broken(place)}</code></p>
${entry.isMocked ? markup`<p class="notice mocked"><strong>Mocked.</strong> Nobody has written this operation yet: it is answered from the contract.</p>` : ''}
${typeof samples === 'string' ? markup`<p class="notice">No programs could be made: ${samples}</p>` : ''}
${deprecation(parts)}
<div class="operation${aside === '' ? '' : ' split'}">
<div class="said">
${markdown(object.description ?? '', 2, linkOf)}
${credentials(operation)}
${parametersView(parts)}
${bodyView(parts)}
</div>
${aside === '' ? '' : markup`<div class="aside">${aside}</div>`}
<div class="said">${responsesView(parts)}</div>
</div>`;
}

/** Since when, until when, and what instead. */
function deprecation({ entry: { operation }, linkOf, hasOperation }: Parts): Markup | '' {
  if (!operation.deprecated) return '';
  const {
    'x-deprecation-date': other,
    'x-deprecated-at': since = other,
    'x-replaced-by': successor,
  }: Readonly<Record<string, unknown>> = { ...operation.object };
  const { sunset } = operation;
  const instead = String(successor ?? '');
  return markup`<p class="notice deprecated"><strong>Deprecated</strong>${since === undefined ? '' : ` since ${String(since)}`}${
    sunset === undefined ? '' : `, gone from ${sunset}`
  }.${
    instead === ''
      ? ''
      : hasOperation(instead)
        ? markup` Use <a href="${operationHref(instead)}">${instead}</a> instead.`
        : markup` Use ${markdownLine(instead, linkOf)} instead.`
  }</p>`;
}

const markdownLine = (text: string, linkOf: LinkOf) => {
  const target = linkOf(text);
  return target === undefined ? markup`${text}` : markup`<a href="${target}">${text}</a>`;
};

function credentials({ security }: Operation): Markup | '' {
  const needed = security.filter((each) => Object.keys(each).length > 0);
  if (needed.length === 0) return '';
  const alternatives = needed.map((each) => {
    const names = Object.entries(each).map(([name, scopes], i) => {
      const scoped = scopes.length > 0 ? ` (${scopes.join(', ')})` : '';
      return markup`${i > 0 ? ' and ' : ''}<a href="/docs/rest#scheme-${name}">${name}</a>${scoped}`;
    });
    return markup`${names}`;
  });
  const isOptional = needed.length < security.length;
  return markup`<p class="credentials">Credentials${isOptional ? ' (optional)' : ''}: ${alternatives.map(
    (each, i) => markup`${i > 0 ? ' or ' : ''}${each}`,
  )}</p>`;
}

const places = { path: 'Path', query: 'Query', header: 'Headers', cookie: 'Cookies' } as const;

function parametersView({ entry: { operation }, view, linkOf }: Parts): Markup[] {
  const groups = Map.groupBy(operation.parameters, (each) => each.in);
  return (['path', 'query', 'header', 'cookie'] as const).flatMap((place) => {
    const entries = (groups.get(place) ?? []).map((each) => parameterEntry(each, view, linkOf));
    if (entries.length === 0) return [];
    return [markup`<h2 id="${place}">${places[place]}</h2>\n${view.fields(entries)}`];
  });
}

function parameterEntry(parameter: Parameter, view: SchemaView, linkOf: LinkOf): FieldEntry {
  const { name, in: place, object, mediaType } = parameter;
  const schema = object.schema ?? object.content?.[mediaType ?? '']?.schema ?? {};
  const { description = '', deprecated, example, examples } = Object(object);
  const [first] = Object.values<object>(Object(examples));
  const shown = example ?? Object(first).value;
  return {
    name,
    id: `${place}.${name}`,
    type: view.type(schema),
    marks: [...(parameter.required ? ['required'] : []), ...(deprecated ? ['deprecated'] : [])],
    terms: [
      // What stands beside a reference counts as well.
      ...termsOf(Object({ ...parameter.schema, ...schema })),
      ...(shown === undefined ? [] : [markup`for example ${coded(shown)}`]),
    ],
    about: description ? markdown(String(description), 3, linkOf) : '',
  };
}

function bodyView({ document, entry: { operation }, view, linkOf }: Parts): Markup | '' {
  const { body, object } = operation;
  if (!body) return '';
  const { description = '' } = Object(object.requestBody && resolve(document, object.requestBody));
  const mark = body.required ? markup` <span class="mark required">required</span>` : '';
  return markup`<h2 id="body">Body${mark}</h2>
${markdown(description, 3, linkOf)}${[...body.content].map(([type, media]) => mediaView(type, media, view, 'request'))}`;
}

function mediaView(
  type: string,
  { schema }: MediaTypeObject,
  view: SchemaView,
  expanded: Direction | undefined,
): Markup {
  return markup`<p class="media"><code>${broken(type)}</code> <span class="of">${view.type(schema ?? {})}</span></p>
${expanded ? view.members(schema, expanded) : ''}`;
}

type Described = ResponseObject & { readonly description?: string };

function responsesView({ document, entry: { operation }, view, linkOf }: Parts): Markup {
  const responses = [...operation.responses] as readonly (readonly [string, Described])[];
  const sections = responses.map(([status, { description = '', headers = {}, content = {} }]) => {
    const entries = Object.entries(headers).map(([name, each]) =>
      headerEntry(name, resolve<HeaderObject>(document, each), view, linkOf),
    );
    const isSuccess = /^2/.test(status);
    return markup`<section class="response" aria-labelledby="${status}">
<h3 id="${status}"><span class="status-code">${status}</span> ${STATUS_CODES[status] ?? ''}</h3>
${markdown(description, 4, linkOf)}${Object.entries(content).map(([type, media]) =>
  mediaView(type, media, view, isSuccess ? 'response' : undefined),
)}${entries.length > 0 ? markup`<details><summary>Headers</summary>${view.fields(entries)}</details>` : ''}
</section>\n`;
  });
  return markup`<h2 id="responses">Responses</h2>\n${sections}`;
}

function headerEntry(
  name: string,
  header: HeaderObject,
  view: SchemaView,
  linkOf: LinkOf,
): FieldEntry {
  const { description = '' } = Object(header);
  return {
    name,
    type: view.type(header.schema ?? {}),
    marks: header.required ? ['required'] : [],
    terms: termsOf(Object(header.schema)),
    about: description ? markdown(String(description), 4, linkOf) : '',
  };
}

function answerView({ answer }: OperationSamples): Markup | '' {
  if (!answer) return '';
  return markup`<section class="sample" aria-labelledby="answer"><h2 id="answer">Answer <span class="status-code">${answer.status}</span></h2>
<pre class="code" tabindex="0" role="region" aria-label="Example of an answer"><code>${answer.text}</code></pre></section>`;
}
