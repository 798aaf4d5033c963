import { html } from 'lit-html';

/** Lets choose one of a pod's containers. */
export function containerChoice(names: readonly string[], chosen: string, choose: (name: string) => void) {
  return html`
    <label>
      Container
      <select @change=${({ target }: Event) => choose((target as HTMLSelectElement).value)}>
        ${names.map((name) => html`<option value=${name} ?selected=${name === chosen}>${name}</option>`)}
      </select>
    </label>
  `;
}
