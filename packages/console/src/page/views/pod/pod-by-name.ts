import { html } from 'lit-html';
import { podHref } from '../../models/links.ts';

/** For who may read some pods, and not list them: leads to the page of one by its namespace and name. */
export const podByName = (namespace: string) => html`
  <form class="bar" @submit=${submitted}>
    <h2>Open a pod by its name</h2>
    <label>In namespace <input name="namespace" .value=${namespace} required spellcheck="false" autocapitalize="off" /></label>
    <label>Pod <input name="pod" required spellcheck="false" autocapitalize="off" /></label>
    <button type="submit">Open</button>
  </form>
`;

function submitted(event: SubmitEvent): void {
  event.preventDefault();
  const fields = new FormData(event.currentTarget as HTMLFormElement);
  const word = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const [namespace, pod] = [word('namespace'), word('pod')];
  if (namespace && pod) location.hash = podHref(namespace, pod);
}
