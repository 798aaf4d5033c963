import { html } from 'lit-html';

/** An object's text. */
export const yamlView = (yaml: string) =>
  html`<pre class="yaml" tabindex="0" role="region" aria-label="YAML">${yaml}</pre>`;
