import { html, nothing } from 'lit-html';

/** A trouble that people should know of, told to screen readers too. */
export const troubleNotice = (trouble: string | undefined) =>
  trouble ? html`<p class="notice bad" role="alert">${trouble}</p>` : nothing;

/** In place of rows: what is awaited, or that there is nothing. */
export const emptyNotice = (isComplete: boolean, what: string) =>
  html`<p class="notice" role="status">${isComplete ? `There are no ${what}.` : `Reading ${what}…`}</p>`;
