import MiniSearch from 'minisearch';
import type { Section } from './markdown.ts';

/** A page as the search knows it. */
export interface Searchable {
  /** In the site. */
  address: string;
  title: string;
  sections: readonly Section[];
}

/** How texts are looked up; the browser's part (assets/search.js) has to say the same. */
export const searchOptions = {
  fields: ['title', 'text'],
  storeFields: ['title', 'page', 'address'],
  searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
};

/** The index of all pages as JSON, one document for each section. */
export function searchIndex(pages: readonly Searchable[]): string {
  const index = new MiniSearch(searchOptions);
  const documents = pages.flatMap(({ address, title: page, sections }) =>
    sections.map(({ id, title, text }) => ({
      title,
      text,
      page,
      address: id === '' ? address : `${address}#${id}`,
    })),
  );
  index.addAll(documents.map((document, id) => ({ id, ...document })));
  return JSON.stringify(index);
}
