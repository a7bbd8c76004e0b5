/** The cursor after which 20 books are left: they are the first ones of the opposite order. */
export async function lastCursor(url: string, query: string): Promise<string> {
  const asked = new URLSearchParams(query);
  const sort = asked.get('sort') ?? '';
  asked.set('sort', sort.startsWith('-') ? sort.slice(1) : `-${sort}`);
  const response = await fetch(`${url}/books?${asked}&limit=21`);
  const records = Object(await response.json());
  const field = sort.replace('-', '');
  const name = sort.startsWith('-') ? `books ${sort},-id` : `books ${sort},id`;
  const { id, [field]: value } = records[20];
  return Buffer.from(JSON.stringify([name, value, id])).toString('base64url');
}
