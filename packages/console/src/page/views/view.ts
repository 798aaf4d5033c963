import type { ApiClient } from '@wherry/client';
import type { TemplateResult } from 'lit-html';
import type { Catalog } from '../cluster/catalog.ts';
import type { Route } from '../models/route.ts';

/** What a view is given. */
export interface ViewContext {
  client: ApiClient;
  /** What the server serves. */
  catalog: Catalog;
  /** What the view shows is different now. */
  changed: () => void;
  /** The address says more exactly what is shown; none is added to those that one goes back to. */
  moved: (route: Route) => void;
}

/** What fills the page below its head, for one address. */
export interface View {
  /** Of the browser's window. */
  readonly title: string;
  /** Begins, or begins again, to follow the cluster: somebody looks. */
  follow(): void;
  /** Nobody looks. */
  rest(): void;
  /** Shows another part of what it shows; false where the address leads elsewhere. */
  turnTo?(route: Route): boolean;
  render(nowMs: number): TemplateResult;
  /** What was rendered stands in the page now. */
  shown?(): void;
  /** For ever. */
  close(): void;
}
