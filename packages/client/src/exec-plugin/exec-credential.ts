import { createPrivateKey, X509Certificate } from 'node:crypto';
import { shownJson } from '@wherry/bytes';
import { canonicalTime, goYaml, ownValue } from '@wherry/kubeapi/objects';
import { parse } from 'yaml';
import { isRecord } from '../config/field-types.ts';
import type { Credentials } from '../transport/credentials.ts';

/** API versions of the plugins that are spoken to. */
export const execApiVersions: ReadonlySet<string> = new Set([
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
]);

/** What a plugin printed. */
export interface PluginAnswer {
  credentials: Credentials;
  /** Time since the epoch in milliseconds; undefined for credentials that last as long as the process. */
  expiresAtMs: number | undefined;
}

/**
 * Reads the `ExecCredential`, JSON or YAML, that a plugin printed. Throws `Error` in the words of client-go
 * (plugin/pkg/client/auth/exec/exec.go).
 */
export function readExecCredential(stdout: string, apiVersion: string): PluginAnswer {
  const document = parseOutput(stdout);
  if (document['apiVersion'] !== apiVersion) {
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${shownJson(document['apiVersion'])}`,
    );
  }
  const status = document['status'];
  if (!isRecord(status)) throw new Error("exec plugin didn't return a status field");
  const token = textOf(status, 'token');
  const cert = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if (!token && !cert && !key) throw new Error("exec plugin didn't return a token or cert/key pair");
  if (!cert !== !key) throw new Error('exec plugin returned only certificate or key, not both');
  if (cert) checkPair(cert, key);
  return {
    credentials: { ...(token ? { token } : {}), ...(cert ? { certificate: { cert, key } } : {}) },
    expiresAtMs: expiryOf(textOf(status, 'expirationTimestamp')),
  };
}

function parseOutput(stdout: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = parse(stdout, goYaml);
  } catch (error) {
    throw new Error(`decoding stdout: ${(error as Error).message}`, { cause: error });
  }
  if (!isRecord(document))
    throw new Error("decoding stdout: couldn't get version/kind; json parse error: not an object");
  // Go reads it as what is waited for, and so takes a kind that is not said for that.
  const { kind = 'ExecCredential', apiVersion } = document;
  if (kind !== 'ExecCredential' || typeof apiVersion !== 'string') {
    throw new Error(
      `decoding stdout: no kind "${shownJson(kind)}" is registered for version "${shownJson(apiVersion)}"`,
    );
  }
  return document;
}

function textOf(status: Record<string, unknown>, field: string): string {
  const value = ownValue(status, field) ?? '';
  if (typeof value !== 'string') throw new Error(`decoding stdout: status.${field} is not a string`);
  return value;
}

function expiryOf(text: string): number | undefined {
  if (text === '') return undefined;
  const time = canonicalTime(text);
  if (time === undefined) {
    throw new Error(`decoding stdout: status.expirationTimestamp "${text}" is not an RFC 3339 time`);
  }
  return Date.parse(time);
}

function checkPair(cert: string, key: string): void {
  let fits: boolean;
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new Error(`failed parsing client key/certificate: ${(error as Error).message}`, { cause: error });
  }
  if (!fits) throw new Error('failed parsing client key/certificate: private key does not match public key');
}
