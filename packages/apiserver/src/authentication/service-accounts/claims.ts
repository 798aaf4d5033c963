/** An object that a token lives and dies with. */
export interface BoundObject {
  kind: 'Pod' | 'Secret' | 'Node';
  name: string;
  uid: string;
}

/** What a token says. */
export interface ServiceAccountClaims {
  namespace: string;
  name: string;
  uid: string;
  bound?: BoundObject | undefined;
  /** The node of a pod's token; one that is not there has no uid. */
  node?: { name: string; uid?: string | undefined } | undefined;
  /** The secret that a token without an end lives in, and the token, which that must still hold. */
  secret?: { name: string; token: string } | undefined;
}
