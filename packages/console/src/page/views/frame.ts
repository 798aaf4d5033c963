import { html, nothing, type TemplateResult } from 'lit-html';
import { findKind } from '../models/kinds.ts';
import { type ListName, listNames, lists } from '../models/lists.ts';
import { formatRoute, type Route } from '../models/route.ts';

/** What stands around every view. */
export interface Frame {
  /** Host and port of the API server. */
  server: string;
  route: Route | undefined;
  /** Empty for all. */
  namespace: string;
  /** Undefined where they can't be listed: one is typed then. */
  namespaces: readonly string[] | undefined;
  chooseNamespace(name: string): void;
  content: TemplateResult;
}

/** The whole page. */
export function frameView({ server, route, namespace, namespaces, chooseNamespace, content }: Frame) {
  const current = placeOf(route);
  const entry = (name: string, title: string, href: string) =>
    html`<a href=${href} aria-current=${name === current ? 'page' : nothing}>${title}</a>`;
  const isNamespaced = route?.page === 'objects' || (route?.page === 'list' && isNamespacedList(route.list));
  return html`
    <a class="skip" href="#main" @click=${focusMain}>Skip to the content</a>
    <header>
      <strong>wherry</strong>
      <nav aria-label="Views">
        ${listNames.map((list) =>
          entry(list, lists[list].title, formatRoute({ page: 'list', list, namespace })),
        )}
        ${entry('kinds', 'All kinds', formatRoute({ page: 'kinds' }))}
        ${entry('sessions', 'Sessions', formatRoute({ page: 'sessions' }))}
      </nav>
      ${
        isNamespaced
          ? html`<label>Namespace ${namespaceField({ namespace, namespaces, choose: chooseNamespace })}</label>`
          : nothing
      }
      <span class="server" title="The API server">${server}</span>
    </header>
    <main id="main" tabindex="-1">${content}</main>
  `;
}

interface NamespaceField {
  namespace: string;
  namespaces: readonly string[] | undefined;
  choose(name: string): void;
}

function namespaceField({ namespace, namespaces, choose }: NamespaceField) {
  const changed = ({ target }: Event) =>
    choose((target as HTMLInputElement | HTMLSelectElement).value.trim());
  if (!namespaces) return html`<input .value=${namespace} @change=${changed} placeholder="all" />`;
  const names = namespace && !namespaces.includes(namespace) ? [namespace, ...namespaces] : namespaces;
  return html`
    <select @change=${changed}>
      <option value="" ?selected=${namespace === ''}>all</option>
      ${names.map((name) => html`<option value=${name} ?selected=${name === namespace}>${name}</option>`)}
    </select>
  `;
}

/** The entry of the head that a place belongs to. */
function placeOf(route: Route | undefined): string | undefined {
  if (route?.page === 'pod') return 'pods';
  if (route?.page === 'list') return route.list;
  if (route?.page !== 'object' && route?.page !== 'objects') return route?.page;
  return listNames.find((name) => findKind([lists[name].type], route.resource)) ?? 'kinds';
}

const isNamespacedList = (name: string): boolean =>
  listNames.some((one): one is ListName => one === name && lists[one].type.namespaced);

/** By hand: what stands behind # is the place in the page. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}
