// Looks words up in the index of all pages, which is fetched when somebody begins to type. Nothing is sent anywhere.
import MiniSearch from './minisearch.js';

const resultsMax = 12;
const root = document.body.dataset.root;
const input = document.querySelector('#search');
const list = document.querySelector('#found');

/** As tools/site/search-index.ts has it. */
const options = {
  fields: ['title', 'text'],
  storeFields: ['title', 'page', 'address'],
  searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};

let loading;
async function index() {
  loading ??= fetch(`${root}search-index.json`).then(async (answer) =>
    MiniSearch.loadJSON(await answer.text(), options),
  );
  return await loading;
}

async function show(words) {
  const found = words.trim() === '' ? [] : (await index()).search(words).slice(0, resultsMax);
  if (words !== input.value) return;
  list.replaceChildren(...found.map(item));
  list.hidden = words.trim() === '';
  if (found.length === 0) list.textContent = 'Nothing found';
}

function item({ title, page, address }) {
  const link = document.createElement('a');
  link.href = `${root}${address}`;
  link.textContent = title === page || title === '' ? page : `${title} — ${page}`;
  const element = document.createElement('li');
  element.append(link);
  return element;
}

input.addEventListener('input', () => show(input.value));
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') {
    input.value = '';
    show('');
  }
  if (key === 'Enter') list.querySelector('a')?.click();
});
