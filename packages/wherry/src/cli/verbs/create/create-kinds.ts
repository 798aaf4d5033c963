import type { Command } from 'commander';
import { addIngress } from './ingress.ts';
import { addPlainKinds } from './plain-kinds.ts';
import { addPolicies } from './policies.ts';
import { addRbac } from './rbac.ts';
import { addSecrets } from './secrets.ts';
import { addServices } from './services.ts';
import { addToken } from './token.ts';
import { addWorkloads } from './workloads.ts';

/** kubectl's words for objects of one kind, below `create`. */
export const addCreateKinds = (create: Command): Command[] => [
  ...addWorkloads(create),
  ...addPlainKinds(create),
  ...addSecrets(create),
  ...addServices(create),
  addIngress(create),
  ...addRbac(create),
  ...addPolicies(create),
  addToken(create),
];
