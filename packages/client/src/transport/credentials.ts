/** A client certificate and its key, PEM. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/** What a {@link CredentialSource} gives: a bearer token, a client certificate, or both. */
export interface Credentials {
  token?: string | undefined;
  certificate?: ClientCertificate | undefined;
}

/** Where credentials come from that don't last. */
export interface CredentialSource {
  /** The credentials to use now; cheap while they are valid. Rejects with `ClientError` `no-credentials`. */
  current(): Promise<Credentials>;
  /** The server refused these with 401. Resolves to true when others are there now, so that one more try makes sense. */
  replace(refused: Credentials): Promise<boolean>;
}
