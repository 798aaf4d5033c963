import type { PolicyRule } from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import type { AbacAuthorizer } from './abac.ts';
import type { AuthorizationFigures } from './authorization-figures.ts';
import type { AuthorizationMode, AuthorizationOptions } from './authorization-options.ts';
import { type Authorizer, AuthorizerChain, alwaysAllow, alwaysDeny } from './authorizer.ts';
import { bootstrapRoles } from './bootstrap-policy.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import type { NodeGraph } from './node-graph.ts';
import { RbacAuthorizer, type RbacCaches } from './rbac.ts';
import type { ConfiguredAuthorization } from './webhook/configured-authorization.ts';

/** Who is asked who may do what. */
export interface AuthorizerSources extends Pick<AuthorizationOptions, 'authorizationMode'> {
  /** Who decides, where webhooks do, or a file says it. */
  authorization?: ConfiguredAuthorization | undefined;
  /** What a file of policies allows, where the mode ABAC has one. */
  policies?: AbacAuthorizer | undefined;
}

/** Who tells what a user may do in a namespace. */
export interface RuleSource {
  rulesFor(user: UserInfo, namespace: string): readonly PolicyRule[];
}

/** From where it is known what somebody may. */
export interface KnownRights {
  /** Everybody may do everything. */
  everything: boolean;
  /** Who tells rules, in the order in which they are asked. */
  sources: readonly RuleSource[];
  /** Somebody is asked who tells no rules. */
  isElsewhere: boolean;
}

/** Who may do what. */
export interface Authorization {
  authorizer: Authorizer;
  /** By which who hands out rights is held to his own; undefined when everybody may do everything. */
  rbac: RbacAuthorizer | undefined;
  knownRights(): KnownRights;
}

const usualModes: readonly AuthorizationMode[] = ['Node', 'RBAC'];

/** As the server's options say. */
export function createAuthorizer(
  { authorization, authorizationMode, policies }: AuthorizerSources,
  caches: RbacCaches & { nodeGraph: NodeGraph },
  figures: AuthorizationFigures,
): Authorization {
  const roles = new RbacAuthorizer(caches);
  const node = new NodeAuthorizer({ rules: nodeRules(), graph: caches.nodeGraph });
  const counted = (type: AuthorizationMode, each: Authorizer) =>
    figures.counted(type, type.toLowerCase(), each);
  const local = {
    ...{ Node: counted('Node', node), RBAC: counted('RBAC', roles) },
    // Whoever has not begun with it never gets to it.
    ABAC: counted('ABAC', policies ?? alwaysDeny),
    AlwaysAllow: counted('AlwaysAllow', alwaysAllow),
    AlwaysDeny: counted('AlwaysDeny', alwaysDeny),
  };
  authorization?.use(local, figures);
  const modes = () => authorization?.types ?? authorizationMode ?? usualModes;
  const steps = modes().flatMap((mode) => (mode === 'Webhook' ? [] : [local[mode]]));
  return {
    authorizer: authorization ?? new AuthorizerChain(steps),
    rbac: modes().includes('AlwaysAllow') ? undefined : roles,
    knownRights: () => ({
      everything: modes().includes('AlwaysAllow'),
      sources: modes().flatMap((mode) => {
        if (mode === 'RBAC') return roles;
        return mode === 'ABAC' && policies ? policies : [];
      }),
      isElsewhere: modes().includes('Webhook'),
    }),
  };
}

function nodeRules(): readonly PolicyRule[] {
  return bootstrapRoles().find(({ metadata }) => metadata?.name === 'system:node')?.rules ?? [];
}
