import { html, nothing } from 'lit-html';

/** A trouble that people should know of, told to screen readers too. */
export const troubleNotice = (trouble: string | undefined) =>
  trouble ? html`<p class="notice bad" role="alert">${trouble}</p>` : nothing;

/** What is good to know and no trouble. */
export const plainNotice = (text: string) => html`<p class="notice" role="status">${text}</p>`;

/** What an {@link emptyNotice} is told of a list. */
export interface Emptiness {
  /** Whether all there is has been seen. */
  isComplete: boolean;
  /** Told elsewhere; nothing is awaited then, and nobody knows what there is. */
  trouble?: string | undefined;
}

/** In place of rows: what is awaited, or that there is nothing. */
export function emptyNotice({ isComplete, trouble }: Emptiness, what: string) {
  if (!isComplete && trouble) return nothing;
  const text = isComplete ? `There are no ${what}.` : `Reading ${what}…`;
  return html`<p class="notice" role="status">${text}</p>`;
}
