import { parameterText } from './parameter-text.js';

/** Sends what the form says, and shows the answer. */
export function followForm(form, place) {
  const button = form.querySelector('button[type=submit]');
  let running;
  keepCredentials(form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) return running.abort();
    running = new AbortController();
    button.textContent = 'Stop';
    try {
      await send(form, place, running.signal);
    } catch (error) {
      show(place, 'No answer', error.name === 'AbortError' ? 'Stopped.' : String(error.message));
    }
    running = undefined;
    button.textContent = 'Send';
  });
}

/** Credentials stay for the other operations, until the tab is closed. */
function keepCredentials(form) {
  for (const input of form.querySelectorAll('[data-credential]')) {
    const key = `credential ${JSON.parse(input.dataset.credential).name}`;
    input.value = sessionStorage.getItem(key) ?? '';
    input.addEventListener('input', () => sessionStorage.setItem(key, input.value));
  }
}

async function send(form, place, signal) {
  const { method } = form.dataset;
  const request = { path: form.dataset.path, query: [], headers: new Headers(), cookies: [] };
  for (const input of form.querySelectorAll('[data-parameter]')) add(request, input);
  for (const input of form.querySelectorAll('[data-credential]')) authorise(request, input);
  const body = bodyOf(form.querySelector('[data-body]'), request.headers);
  const query = request.query.filter(Boolean).join('&');
  const url = `${request.path}${query && `?${query}`}`;
  // fetch sends no cookies but those of the page.
  for (const cookie of request.cookies) {
    const [name, value] = cookie.split('=');
    await cookieStore.set({ name, value, expires: Date.now() + 10_000 });
  }
  const start = performance.now();
  const answer = await fetch(url, { method, headers: request.headers, body, signal });
  await showAnswer(place, answer, start, `${method} ${url}`);
}

function add(request, input) {
  const form = JSON.parse(input.dataset.parameter);
  if (input.value === '' && form.in !== 'path') return;
  const text = parameterText(form, typedValue(input));
  if (form.in === 'path') request.path = request.path.replaceAll(`{${form.name}}`, text);
  if (form.in === 'query') request.query.push(text);
  if (form.in === 'header') request.headers.set(form.name, text);
  if (form.in === 'cookie') request.cookies.push(...text.split('; '));
}

/** What was typed as a value: lists and objects as JSON, lists also with commas. */
function typedValue({ value, dataset: { type, parameter } }) {
  if (type === 'text' && !JSON.parse(parameter ?? '{}').json) return value;
  try {
    return JSON.parse(value);
  } catch {
    return type === 'array' ? value.split(',').map((each) => each.trim()) : value;
  }
}

function authorise(request, input) {
  const { kind, in: place, key } = JSON.parse(input.dataset.credential);
  const { value } = input;
  if (value === '') return;
  if (kind === 'bearer') request.headers.set('Authorization', `Bearer ${value}`);
  if (kind === 'basic') request.headers.set('Authorization', `Basic ${base64(value)}`);
  if (place === 'header') request.headers.set(key, value);
  if (place === 'query')
    request.query.push(`${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  if (place === 'cookie') request.cookies.push(`${key}=${value}`);
}

function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function bodyOf(holder, headers) {
  if (!holder) return undefined;
  const { body: kind, media } = holder.dataset;
  if (kind === 'multipart' || kind === 'form') {
    const parts = [...holder.querySelectorAll('[data-part]')];
    if (parts.length > 0) return kind === 'form' ? encoded(parts) : multipart(parts);
  }
  const body = holder.type === 'file' ? holder.files[0] : holder.value;
  if (!body) return undefined;
  headers.set('Content-Type', media);
  return body;
}

function encoded(parts) {
  const data = new URLSearchParams();
  for (const part of parts.filter(({ value }) => value !== '')) {
    for (const each of [typedValue(part)].flat()) data.append(part.dataset.part, plain(each));
  }
  return data;
}

function multipart(parts) {
  const data = new FormData();
  for (const part of parts) {
    const { part: name } = part.dataset;
    for (const file of part.files ?? []) data.append(name, file);
    if (part.files || part.value === '') continue;
    for (const each of [typedValue(part)].flat()) {
      const isData = typeof each === 'object' && each !== null;
      const json = () => new Blob([JSON.stringify(each)], { type: 'application/json' });
      data.append(name, isData ? json() : plain(each));
    }
  }
  return data;
}

const plain = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

async function showAnswer(place, answer, start, sent) {
  const type = answer.headers.get('Content-Type') ?? '';
  const bytes = await answer.arrayBuffer();
  const time = Math.round(performance.now() - start);
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const isText = type === '' || /^text\/|json|xml|yaml|javascript|graphql|urlencoded/.test(type);
  const text = isText
    ? laidOut(new TextDecoder().decode(bytes))
    : `${bytes.byteLength} bytes of ${type}`;
  show(place, `${answer.status} ${answer.statusText} in ${time} ms`, text, sent, headers);
}

function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(place, title, text, sent = '', headers = '') {
  const head = document.createElement('p');
  head.className = 'outcome';
  head.textContent = title;
  const parts = [head];
  if (sent) parts.push(block('Sent', sent));
  if (text) parts.push(block('Body of the answer', text));
  if (headers) {
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    summary.textContent = 'Headers';
    details.append(summary, block('Headers of the answer', headers));
    parts.push(details);
  }
  place.replaceChildren(...parts);
}

function block(label, text) {
  const pre = document.createElement('pre');
  pre.className = 'code';
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', label);
  pre.textContent = text;
  return pre;
}
