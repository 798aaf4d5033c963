import type { UserInfo } from '../../authentication/identity.ts';
import type { Attributes } from '../authorizer.ts';
import { type AskedUser, isNameAlone } from './asked-user.ts';
import { type Check, takeOver } from './rights.ts';
import { accountOf, isAtNode, nodeOf } from './user-kinds.ts';

/** Somebody taken over. */
export interface Impersonated {
  user: UserInfo;
  /** The constrained verb that allowed it. */
  constraint: string | undefined;
}

/** One way of being somebody else. */
export interface Mode {
  /** False where this way does not know such users. */
  applies(asked: AskedUser, user: UserInfo): boolean;
  /** Rejects with 403 unless `request` may be made as the asked user. */
  take(asked: AskedUser, request: Attributes, check: Check): Promise<Impersonated>;
}

/**
 * A mode in which both are needed: the right to be that user (`impersonate:NAME`) and the right to do what the request
 * does as somebody (`impersonate-on:NAME:VERB`).
 */
function constrained(name: string, applies: Mode['applies'], disguise = (asIs: Attributes) => asIs): Mode {
  const constraint = `impersonate:${name}`;
  return {
    applies,
    async take(asked, request, check) {
      const disguised: Check = (attributes) => check(disguise(attributes));
      await disguised({ ...request, verb: `impersonate-on:${name}:${request.verb}` });
      const verb = { text: constraint, isConstrained: true };
      return { user: await takeOver(request.user, asked, verb, disguised), constraint };
    },
  };
}

/** Whoever may be the node where they are may be so at all nodes: neither the node nor what a token is bound to is told. */
const atTheirNode = (attributes: Attributes): Attributes => {
  const keys = Object.keys(attributes.user.extra).sort();
  const extra = { 'authentication.kubernetes.io/associated-node-keys': keys };
  const isIdentity = attributes.verb === 'impersonate:associated-node';
  return {
    ...attributes,
    user: { ...attributes.user, extra },
    name: isIdentity ? '*' : attributes.name,
  };
};

/** All of them, the narrowest first (upstream: ConstrainedImpersonation, on by default since 1.36). */
export const modes: readonly Mode[] = [
  constrained(
    'associated-node',
    (asked, user) => isNameAlone(asked) && isAtNode(user, asked.name),
    atTheirNode,
  ),
  constrained('arbitrary-node', (asked) => isNameAlone(asked) && nodeOf(asked.name) !== undefined),
  constrained('serviceaccount', (asked) => isNameAlone(asked) && accountOf(asked.name) !== undefined),
  constrained('user-info', ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined),
  {
    applies: () => true,
    async take(asked, { user }, check) {
      const verb = { text: 'impersonate', isConstrained: false };
      return { user: await takeOver(user, asked, verb, check), constraint: undefined };
    },
  },
];
