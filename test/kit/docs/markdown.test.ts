// engines: sqlite
import { describe, expect, it } from 'vitest';
import { examplesIn } from '../../../src/kit/docs/examples.ts';
import { inline, markdown } from '../../../src/kit/docs/markdown.ts';

/** Markdown and the HTML that it becomes, without the line ends between the blocks. */
const blocks: readonly (readonly [text: string, html: string])[] = [
  ['', ''],
  ['\n \n', ''],
  ['a', '<p>a</p>'],
  ['a\nb', '<p>a b</p>'],
  ['a\r\nb\r\n\r\nc', '<p>a b</p><p>c</p>'],
  ['a  \n   b', '<p>a b</p>'],
  ['a\n\n\nb', '<p>a</p><p>b</p>'],
  ['> a\n> b\n >c', '<p>a b c</p>'],
  // Headings: the highest is the top, and none is left out.
  ['# A', '<h2>A</h2>'],
  ['### A', '<h2>A</h2>'],
  ['### A\n##### B\n### C', '<h2>A</h2><h3>B</h3><h2>C</h2>'],
  ['#### B\n# A', '<h3>B</h3><h2>A</h2>'],
  ['# A\ntext\n# B', '<h2>A</h2><p>text</p><h2>B</h2>'],
  ['#A', '<p>#A</p>'],
  ['a\n#b', '<p>a #b</p>'],
  [
    '# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6',
    '<h2>1</h2><h3>2</h3><h4>3</h4><h5>4</h5><h6>5</h6><h6>6</h6>',
  ],
  // Lists.
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['* a\n+ b', '<ul><li>a</li><li>b</li></ul>'],
  ['1. a\n2) b', '<ol><li>a</li><li>b</li></ol>'],
  [' 1. a', '<ol><li>a</li></ol>'],
  ['10. a', '<ol><li>a</li></ol>'],
  ['- a\n  b\n- c', '<ul><li>a b</li><li>c</li></ul>'],
  ['a\nb\n- c\n- d', '<p>a b</p><ul><li>c</li><li>d</li></ul>'],
  ['a\n1. c', '<p>a</p><ol><li>c</li></ol>'],
  ['-a\n1.b', '<p>-a 1.b</p>'],
  // Tables.
  [
    '| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |',
    table('<th>a</th><th>b</th>', '<td>1</td><td>2</td>', '<td>3</td><td>4</td>'),
  ],
  [
    '| a | b\n|---|---\n|  | `c`',
    table('<th>a</th><th>b</th>', '<td></td><td><code>c</code></td>'),
  ],
  ['  | a |\n  | - |', table('<th>a</th>')],
  ['| a |\nb', '<p>| a | b</p>'],
  // Code.
  ['```\na\n\n# b\n```\nc', '<pre class="code" tabindex="0"><code>a\n\n# b</code></pre><p>c</p>'],
  ['~~~yaml\n```\n~~~', '<pre class="code" tabindex="0"><code>```</code></pre>'],
  ['  ```\n  a\n  ```', '<pre class="code" tabindex="0"><code>  a</code></pre>'],
  ['```\nnot closed', '<pre class="code" tabindex="0"><code>not closed</code></pre>'],
  ['a\n```\nb\n```', '<p>a</p><pre class="code" tabindex="0"><code>b</code></pre>'],
  ['a\n~~~\nb\n~~~', '<p>a</p><pre class="code" tabindex="0"><code>b</code></pre>'],
];

function table(head: string, ...rows: string[]): string {
  const body = rows.map((row) => `<tr>${row}</tr>`).join('');
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const link = (address: string, text = address) => `<a href="${address}">${text}</a>`;

const lines: readonly (readonly [text: string, html: string])[] = [
  ['a `b` **c** d', 'a <code>b</code> <strong>c</strong> d'],
  ['**`b` c**', '<strong><code>b</code> c</strong>'],
  ['`**a**` * b * ``', '<code>**a**</code> * b * ``'],
  ['`Known` `unknown`', `${link('/docs/Known', '<code>Known</code>')} <code>unknown</code>`],
  ['**`Known`**', `<strong>${link('/docs/Known', '<code>Known</code>')}</strong>`],
  ['`[a](https://x.example)`', '<code>[a](https://x.example)</code>'],
  ['[a](http://x.example/?b=1)', link('http://x.example/?b=1', 'a')],
  ['[a](https://x.example)[b](/c)', link('https://x.example', 'a') + link('/c', 'b')],
  ['[a](mailto:a@x.example), [b](#c)', `${link('mailto:a@x.example', 'a')}, ${link('#c', 'b')}`],
  ['[a](javascript:alert) [b](data:x) [c](x)', 'a b c'],
  ['![a](https://x.example/a.png)!', 'a!'],
  ['[a](b c)', '[a](b c)'],
  ['see http://x.example/a.', `see ${link('http://x.example/a')}.`],
  [
    'https://x.example, https://y.example; https://z.example:',
    ['x', 'y', 'z'].map((each, i) => `${link(`https://${each}.example`)}${',;:'[i]}`).join(' '),
  ],
  ['(https://x.example/a,b)', `(${link('https://x.example/a,b')})`],
  ['<b> & "c" \'d\'', '&#60;b&#62; &#38; &#34;c&#34; &#39;d&#39;'],
];

describe('Markdown', () => {
  it.each(blocks)('%j becomes its blocks', (text, html) => {
    const made = markdown(text, 2).html;
    expect(made.replaceAll(/>\n(?=<|$)/g, '>')).toBe(html);
  });

  it.each(lines)('%j becomes a line', (text, html) => {
    const linkOf = (code: string) => (code === 'Known' ? '/docs/Known' : undefined);
    expect(inline(text, linkOf).html).toBe(html);
    expect(markdown(text, 1, linkOf).html).toBe(`<p>${html}</p>\n`);
  });

  it('begins with the first level unless told otherwise', () => {
    expect(markdown('## A\n### B').html).toBe('<h1>A</h1>\n<h2>B</h2>\n');
  });
});

it('the examples of a document have their words, and their variables as JSON', () => {
  const text = `
# The document.

# All of them.
# variables { "a": [1] }
query All($a: [Int]) { all(a: $a) }

fragment F on T { b }

# Make.
# variables {}
mutation { make }
# Named.
subscription Told { told }
{ last }
`;
  expect(examplesIn(text)).toEqual([
    {
      name: 'All',
      about: 'All of them.',
      query: '# All of them.\nquery All($a: [Int]) { all(a: $a) }\n',
      variables: '{\n  "a": [\n    1\n  ]\n}',
    },
    { name: '', about: 'Make.', query: '# Make.\nmutation { make }\n', variables: '{}' },
    {
      name: 'Told',
      about: 'Named.',
      query: '# Named.\nsubscription Told { told }\n',
      variables: '',
    },
    { name: '', about: '', query: '{ last }\n', variables: '' },
  ]);
  const [first] = examplesIn('# variables { "a": 1 }\nquery A($a: Int) { a(a: $a) }');
  expect(first?.variables).toBe('{\n  "a": 1\n}');
});
