const parts = [...document.querySelectorAll('details.part')];
const texts = new Map(parts.map((part) => [part, part.textContent.toLowerCase()]));
const buttons = [...document.querySelectorAll('[data-reader]')];
const search = document.querySelector('#search');
let reader = '';

function apply() {
  const words = (search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const part of parts) {
    const isFor = reader === '' || part.dataset.readers.split(' ').includes(reader);
    part.hidden = !(isFor && words.every((word) => texts.get(part).includes(word)));
    if (!part.hidden) shown++;
    for (const change of part.querySelectorAll('li[data-readers]'))
      change.hidden = reader !== '' && !change.dataset.readers.split(' ').includes(reader);
  }
  for (const group of document.querySelectorAll('.group'))
    group.hidden = !group.querySelector('details.part:not([hidden])');
  document.querySelector('#none').hidden = shown > 0 || parts.length === 0;
}

function choose(value) {
  reader = value;
  for (const button of buttons)
    button.setAttribute('aria-pressed', String(button.dataset.reader === value));
  apply();
}

function openAll(isOpen) {
  for (const part of parts) part.open = isOpen;
}

function step(by) {
  const visible = parts.filter((part) => !part.hidden);
  const now = visible.indexOf(document.activeElement?.closest('details.part'));
  const next = visible[Math.min(visible.length - 1, Math.max(0, now + by))];
  next?.querySelector('summary').focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  o: () => document.activeElement?.closest('details.part')?.toggleAttribute('open'),
  e: () => openAll(true),
  c: () => openAll(false),
  '/': () => search?.focus(),
};

for (const button of buttons) button.addEventListener('click', () => choose(button.dataset.reader));
search?.addEventListener('input', apply);
document.querySelector('#open')?.addEventListener('click', () => openAll(true));
document.querySelector('#close')?.addEventListener('click', () => openAll(false));
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key === 'Escape') search.blur();
    return;
  }
  const button = buttons[Number(event.key) - 1];
  const run = button ? () => choose(button.dataset.reader) : keys[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});
addEventListener('beforeprint', () => {
  for (const each of document.querySelectorAll('details')) each.open = true;
});
