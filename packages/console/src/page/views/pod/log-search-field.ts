import { html } from 'lit-html';
import type { LogSearch } from '../../models/log/log-search.ts';

/** What a search field calls. */
export interface LogSearching {
  look(query: string): void;
  step(by: 1 | -1): void;
}

/** Looks for words in a log: Enter leads to the next place, Shift+Enter to the one before. */
export function logSearchField({ query, words, matches }: LogSearch, { look, step }: LogSearching) {
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  const button = (title: string, by: 1 | -1) => html`
    <button type="button" ?disabled=${matches.length === 0} @click=${() => step(by)}>${title}</button>
  `;
  return html`
    <label>
      Search
      <input
        type="search"
        .value=${query}
        @input=${({ target }: Event) => look((target as HTMLInputElement).value)}
        @keydown=${pressed}
        placeholder="words of the log"
      />
    </label>
    ${button('Find previous', -1)} ${button('Find next', 1)}
    <span role="status">${words}</span>
  `;
}
