import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import { propertiesIn } from './sample.ts';

/** XML of a value, or why there is none. */
export type XmlText = { readonly text: string } | { readonly fault: string };

type Xml = {
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
  /** Of OpenAPI 3.2. */
  readonly nodeType?: string;
};

/** An element while it is written. Namespaces stand under their prefixes; the default one has none. */
type Tag = {
  readonly outer: ReadonlyMap<string, string>;
  readonly used: Map<string, string>;
  /** As they are written, by namespace and name. */
  readonly attributes: Map<string, string>;
};

/** A value as its schema describes it. The root is named by `xml`, by its component, or `root`. */
export function xmlText(document: Document, schema: unknown, value: unknown): XmlText {
  const faults: string[] = [];
  const root = componentName(schema) ?? 'root';
  const itemName = componentName(itemsOf(schema)) ?? root;
  const text = elementOf(root, schema, value, new Map([['xml', XML]]), itemName);
  const [fault] = faults;
  return fault === undefined ? { text } : { fault };

  function elementOf(
    usual: string,
    schema: unknown,
    value: unknown,
    outer: Tag['outer'],
    itemName = usual,
  ): string {
    const tag: Tag = { outer, used: new Map(), attributes: new Map() };
    const xml = xmlOf(schema);
    const own = written(usual, xml, namespaceOf(xml, tag));
    const content = Array.isArray(value)
      ? itemsText(itemName, schema, value, within(tag))
      : contentOf(schema, value, tag);
    const declared = [...tag.used].filter(([prefix, each]) => outer.get(prefix) !== each);
    for (const [prefix, namespace] of declared) {
      if (prefix !== '' && !NAME.test(prefix)) unfit(prefix);
      for (const each of [prefix, namespace]) if (RESERVED.has(each)) unfit(each);
    }
    const all = [
      ...declared.map(([prefix, each]) =>
        attributeText(prefix ? `xmlns:${prefix}` : 'xmlns', each),
      ),
      ...tag.attributes.values(),
    ];
    return `<${own}${all.join('')}>${content}</${own}>`;
  }

  /** Members that are attributes are added to those of the element. */
  function contentOf(schema: unknown, value: unknown, tag: Tag): string {
    if (!isObject(value)) return escaped(String(value ?? ''));
    const known = membersOf(schema);
    const { additionalProperties } = objectOf(schema);
    return Object.entries(value)
      .map(([name, each]) => {
        const member = known.get(name) ?? additionalProperties;
        const xml = xmlOf(member);
        const kind = xml.nodeType ?? (xml.attribute ? 'attribute' : 'element');
        if (kind === 'attribute') {
          addAttribute(name, xml, isObject(each) ? JSON.stringify(each) : String(each), tag);
          return '';
        }
        if (kind === 'text' || kind === 'cdata') return contentOf(member, each, tag);
        const isWrapped = xml.wrapped ?? xml.nodeType === 'element';
        if (Array.isArray(each) && !isWrapped) return itemsText(name, member, each, within(tag));
        return elementOf(name, member, each, within(tag));
      })
      .join('');
  }

  function itemsText(
    name: string,
    schema: unknown,
    items: readonly unknown[],
    outer: Tag['outer'],
  ): string {
    return items.map((each) => elementOf(name, itemsOf(schema), each, outer)).join('');
  }

  function addAttribute(usual: string, xml: Xml, value: string, tag: Tag): void {
    // Without a prefix it has no namespace.
    const namespace = xml.prefix ? namespaceOf(xml, tag) : undefined;
    const own = written(usual, xml, namespace);
    const key = JSON.stringify([namespace, xml.name ?? usual]);
    if (own === 'xmlns') unfit(own);
    if (tag.attributes.has(key))
      faults.push(`an element has two attributes ${JSON.stringify(own)}`);
    tag.attributes.set(key, attributeText(own, value));
  }

  /** The namespace that a name's prefix stands for, in this tag or outside. */
  function namespaceOf({ prefix = '', namespace }: Xml, { outer, used }: Tag): string | undefined {
    const own = namespace || (used.get(prefix) ?? outer.get(prefix));
    if (own === undefined) return undefined;
    if ((used.get(prefix) ?? own) !== own) {
      faults.push(`an element has two namespaces for the prefix ${JSON.stringify(prefix)}`);
    }
    used.set(prefix, own);
    return own;
  }

  /** Without a prefix that stands for no namespace: clients read the bare name, and refuse the other. */
  function written(usual: string, { name = usual, prefix }: Xml, namespace?: string): string {
    if (!NAME.test(name)) unfit(name);
    return prefix && namespace ? `${prefix}:${name}` : name;
  }

  function attributeText(name: string, value: string): string {
    // Parsers make blanks of these.
    const text = escaped(value).replace(/[\t\n]/g, (each) => `&#${each.charCodeAt(0)};`);
    return ` ${name}="${text}"`;
  }

  function escaped(text: string): string {
    const [unknown] = text.match(NO_CHARACTER) ?? [];
    if (unknown !== undefined) {
      const code = unknown.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      faults.push(`a value has the character U+${code}, which XML does not admit`);
    }
    return text.replace(/[&<>"\r]/g, (each) => ENTITIES[each] ?? each);
  }

  function unfit(name: string): void {
    const kinds = 'element, attribute, prefix or namespace';
    faults.push(`the contract names an ${kinds} ${JSON.stringify(name)}, which XML does not admit`);
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

function within({ outer, used }: Tag): Tag['outer'] {
  return new Map([...outer, ...used]);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  // Parsers make line feeds of these.
  '\r': '&#13;',
};

// XML 1.0, production 2.
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

// Namespaces in XML 1.0, section 3: `xml` is bound, and neither is declared.
const XML = 'http://www.w3.org/XML/1998/namespace';
const RESERVED = new Set(['xml', 'xmlns', XML, 'http://www.w3.org/2000/xmlns/']);

// Namespaces in XML 1.0, production 4.
const NAME =
  /^[A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}][-.\dA-Z_a-z\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff\u200c-\u200d\u203f-\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]*$/u;
