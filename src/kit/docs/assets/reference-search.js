const MOST = 30;

/** Shows what of the index has all words that are typed; `/` leads to the field, Enter to the first result. */
export function followSearch(field, list) {
  let index;
  const loaded = () => {
    index ??= fetch(field.dataset.index).then((answer) => answer.json());
    return index;
  };
  field.addEventListener('focus', loaded);
  field.addEventListener('input', async () => {
    const all = await loaded();
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter(([, title, more]) => {
      const text = `${title} ${more}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    list.hidden = words.length === 0;
    list.replaceChildren(...found.slice(0, MOST).map(item), ...rest(found.length));
  });
  field.addEventListener('keydown', (event) => {
    const first = list.querySelector('a');
    if (event.key === 'Enter' && first) first.click();
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    }
    if (event.key === 'Escape') list.hidden = true;
  });
  list.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const links = [...list.querySelectorAll('a')];
    const next = links.indexOf(document.activeElement) + steps[event.key];
    (links[next] ?? field).focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    field.focus();
  });
}

function item([href, title, words]) {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  const place = document.createElement('code');
  link.href = href;
  place.textContent = words.split(' ').slice(0, 2).join(' ');
  link.append(title, ' ', place);
  entry.append(link);
  return entry;
}

function rest(count) {
  const text = count === 0 ? 'Nothing found.' : count > MOST ? `and ${count - MOST} more` : '';
  if (text === '') return [];
  const entry = document.createElement('li');
  entry.textContent = text;
  return [entry];
}
