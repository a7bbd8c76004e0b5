// Asks the server how it is, now and while the page is looked at.
const status = document.querySelector('.status');

async function ask() {
  const isReady = await fetch('/readyz').then(
    (answer) => answer.ok,
    () => false,
  );
  status.dataset.status = isReady ? 'ready' : 'down';
  const text = isReady ? 'ready' : 'not ready';
  if (status.textContent !== text) status.textContent = text;
}

void ask();
setInterval(() => document.hidden || ask(), 10_000);
