import { html, nothing } from 'lit-html';
import type { Fact } from '../models/facts.ts';

/** Pairs of a name and a text or links. */
export const factsView = (facts: readonly Fact[]) => html`
  <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${valueView(value)}</dd></div>`)}</dl>
`;

function valueView(value: Fact[1]) {
  if (typeof value === 'string') return value;
  return value.map(
    ({ text, href }, index) =>
      html`${index > 0 ? ', ' : nothing}${href === undefined ? text : html`<a href=${href}>${text}</a>`}`,
  );
}
