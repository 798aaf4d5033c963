import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf, type NodeLayout, type Role, roles } from './layout.ts';
import type { NodeRecord } from './record.ts';

/** What a node is told of the cluster that it is in. */
type Membership = Pick<NodeRecord, 'joins'>;

/** The processes that serve a whole cluster; a node that joined another's has none of them. */
const serving: readonly Role[] = ['apiserver', 'controllers'];

/** The processes of a node, in the order in which they depend on one another. */
export const rolesOf = ({ joins }: Membership): readonly Role[] =>
  joins === undefined ? roles : roles.filter((role) => !serving.includes(role));

/** The layout of the node whose API server a node belongs to: its own, or that of the one it joined. */
export const serverLayout = (layout: NodeLayout, { joins }: Membership): NodeLayout =>
  joins === undefined ? layout : layoutOf(joins);

/** The layout of a node that joins the cluster of `layout`, by its name. */
export const memberLayout = (layout: NodeLayout, name: string): NodeLayout =>
  layoutOf(join(layout.nodesDir, name));

/** The nodes that have joined, as far as there is anything of them. */
export const memberLayouts = (layout: NodeLayout): NodeLayout[] =>
  existsSync(layout.nodesDir)
    ? readdirSync(layout.nodesDir)
        .sort()
        .map((name) => memberLayout(layout, name))
    : [];

/** The names of all nodes of the cluster that a node serves. */
export const nodeNamesOf = ({ name, members = [] }: NodeRecord): string[] => [name, ...members];
