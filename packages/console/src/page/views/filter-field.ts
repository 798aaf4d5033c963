import { html } from 'lit-html';

/** Where words are typed that rows must have. */
export const filterField = (filter: string, changed: (filter: string) => void) => html`
  <label>
    Filter
    <input
      type="search"
      .value=${filter}
      @input=${({ target }: Event) => changed((target as HTMLInputElement).value)}
      placeholder="words of a row"
    />
  </label>
`;
