import { followSearch } from './reference-search.js';
import { followForm } from './try-it.js';

// Addresses of the reference that this one replaced: #/<tag>/<operationId>.
const [, , former] = location.hash.split('/');
if (location.pathname === '/docs/rest' && former) {
  location.replace(`/docs/rest/${encodeURIComponent(decodeURIComponent(former))}`);
}

for (const address of document.querySelectorAll('.address')) address.textContent = location.origin;

const menu = document.querySelector('.menu');
menu?.addEventListener('click', () => {
  const isOpen = menu.getAttribute('aria-expanded') !== 'true';
  menu.setAttribute('aria-expanded', String(isOpen));
});
const groups = document.querySelector('.groups');
const current = groups?.querySelector('[aria-current]');
if (current) groups.scrollTop = current.offsetTop - groups.offsetTop - groups.clientHeight / 3;

const search = document.querySelector('#search');
if (search) followSearch(search, document.querySelector('.results'));

const programs = document.querySelector('.programs');
if (programs) showOne(programs);

const form = document.querySelector('.try form');
if (form) followForm(form, document.querySelector('.answer'));

/** Programs of one language at a time; the choice is kept. */
function showOne(all) {
  const sections = [...all.querySelectorAll('.program')];
  const bar = document.createElement('p');
  bar.className = 'languages';
  const buttons = sections.map(({ dataset: { language } }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = language;
    button.addEventListener('click', () => {
      localStorage.setItem('language', language);
      choose(language);
    });
    return button;
  });
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'copy';
  copy.textContent = 'Copy';
  copy.addEventListener('click', async () => {
    const shown = sections.find((section) => !section.hidden);
    await navigator.clipboard.writeText(shown.querySelector('code').textContent);
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  bar.append(...buttons, copy);
  all.querySelector('h2').after(bar);

  function choose(wanted) {
    const known = sections.some(({ dataset: { language } }) => language === wanted);
    const chosen = known ? wanted : sections[0]?.dataset.language;
    sections.forEach((section, i) => {
      const isChosen = section.dataset.language === chosen;
      section.hidden = !isChosen;
      buttons[i].setAttribute('aria-pressed', String(isChosen));
    });
  }
  choose(localStorage.getItem('language'));
}
