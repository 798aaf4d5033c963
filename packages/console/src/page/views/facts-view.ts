import { html } from 'lit-html';

/** Pairs of a name and a text. */
export const factsView = (facts: readonly (readonly [name: string, value: string])[]) => html`
  <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
`;
