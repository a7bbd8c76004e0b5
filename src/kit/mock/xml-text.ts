import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import { propertiesIn } from './sample.ts';

/** XML of a value, or the first name in it that XML does not admit. */
export type XmlText = { readonly text: string } | { readonly badName: string };

type Xml = {
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
  /** Of OpenAPI 3.2. */
  readonly nodeType?: string;
};

/** A value as its schema describes it. The root is named by `xml`, by its component, or `root`. */
export function xmlText(document: Document, schema: unknown, value: unknown): XmlText {
  const names = new Set<string>();
  const root = componentName(schema) ?? 'root';
  const text = elementOf(root, schema, value, componentName(itemsOf(schema)) ?? root);
  const badName = [...names].find((name) => !NAME.test(name));
  return badName === undefined ? { text } : { badName };

  function elementOf(name: string, schema: unknown, value: unknown, itemName = name): string {
    const xml = xmlOf(schema);
    const own = nameOf(name, xml);
    const attributes = new Map(namespaceOf(xml));
    const content = Array.isArray(value)
      ? itemsText(itemName, schema, value)
      : contentOf(schema, value, attributes);
    for (const each of [own, ...attributes.keys()]) names.add(each);
    const written = [...attributes].map(([key, each]) => ` ${key}="${escaped(each)}"`);
    return `<${own}${written.join('')}>${content}</${own}>`;
  }

  /** Members that are attributes are added to those of the element. */
  function contentOf(schema: unknown, value: unknown, attributes: Map<string, string>): string {
    if (!isObject(value)) return escaped(String(value ?? ''));
    const known = membersOf(schema);
    const { additionalProperties } = objectOf(schema);
    return Object.entries(value)
      .map(([name, each]) => {
        const member = known.get(name) ?? additionalProperties;
        const xml = xmlOf(member);
        const kind = xml.nodeType ?? (xml.attribute ? 'attribute' : 'element');
        if (kind === 'attribute') {
          for (const [key, address] of namespaceOf(xml)) attributes.set(key, address);
          attributes.set(nameOf(name, xml), isObject(each) ? JSON.stringify(each) : String(each));
          return '';
        }
        if (kind === 'text' || kind === 'cdata') return contentOf(member, each, attributes);
        const isWrapped = xml.wrapped ?? xml.nodeType === 'element';
        if (Array.isArray(each) && !isWrapped) return itemsText(name, member, each);
        return elementOf(name, member, each);
      })
      .join('');
  }

  function itemsText(name: string, schema: unknown, items: readonly unknown[]): string {
    return items.map((each) => elementOf(name, itemsOf(schema), each)).join('');
  }

  function membersOf(schema: unknown): ReadonlyMap<string, unknown> {
    const { oneOf = [], anyOf = [] } = objectOf(schema);
    const all = [oneOf, anyOf, schema].flat();
    return new Map(all.flatMap((each) => [...propertiesIn(document, each)]));
  }
  function itemsOf(schema: unknown): unknown {
    return objectOf(schema).items;
  }
  function xmlOf(schema: unknown): Xml {
    return Object(objectOf(schema).xml);
  }
  function objectOf(schema: unknown): Record<string, unknown> {
    return isObject(schema) ? Object(resolve(document, schema)) : {};
  }
}

function componentName(schema: unknown): string | undefined {
  const { $ref } = Object(schema);
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
}

function nameOf(usual: string, { name = usual, prefix }: Xml): string {
  return prefix ? `${prefix}:${name}` : name;
}

function namespaceOf({ namespace, prefix }: Xml): [string, string][] {
  return namespace ? [[prefix ? `xmlns:${prefix}` : 'xmlns', namespace]] : [];
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
};

/** Characters that XML does not have are replaced. */
function escaped(text: string): string {
  return text.replace(/[&<>"]|[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, (found) => {
    return ENTITIES[found] ?? '\ufffd';
  });
}

// XML 1.0, production 5.
const NAME =
  /^[:A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}][-.:\dA-Z_a-z\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff\u200c-\u200d\u203f-\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]*$/u;
