/** What Kubernetes' flags and files call the suites, versions and key exchanges of TLS, as Go does. */
import type { SecureVersion } from 'node:tls';

/** OpenSSL's names of the TLS 1.2 suites that Go has and OpenSSL 3 offers, by their IANA names. */
const suiteNames: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
};

const suites: ReadonlyMap<string, string> = new Map(Object.entries(suiteNames));

/** TLS 1.3 has three suites, which Go always offers, named or not. */
const modernSuites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** OpenSSL's names of Go's key exchanges, by their number on the wire. */
const curves: ReadonlyMap<number, string> = new Map([
  [23, 'P-256'],
  [24, 'P-384'],
  [25, 'P-521'],
  [29, 'X25519'],
  [4587, 'SecP256r1MLKEM768'],
  [4588, 'X25519MLKEM768'],
  [4589, 'SecP384r1MLKEM1024'],
]);

/** The versions that a server may be held to: below them OpenSSL 3 speaks none. */
export const tlsVersions = ['VersionTLS12', 'VersionTLS13'] as const;

/** True for a suite that can be offered, by its IANA name. */
export const isTlsSuite = (name: string): boolean => suites.has(name) || modernSuites.includes(name);
/** True for a key exchange that can be offered, by its number on the wire. */
export const isTlsCurve = (id: number): boolean => curves.has(id);

/** How a server speaks TLS. */
export interface TlsSettings {
  /** One of {@link tlsVersions}. Default: the first. */
  tlsMinVersion?: string | undefined;
  /** Suites of TLS 1.2 by their IANA names; those of 1.3 are always offered, as by Go. Default, and empty: Node's. */
  tlsCipherSuites?: readonly string[] | undefined;
  /** Key exchanges by their number on the wire. Default, and empty: Node's. */
  tlsCurvePreferences?: readonly number[] | undefined;
}

/** The same, as Node takes it; names that are not known are left out. */
export function tlsOptions({ tlsMinVersion, tlsCipherSuites = [], tlsCurvePreferences = [] }: TlsSettings): {
  minVersion: SecureVersion;
  ciphers?: string;
  ecdhCurve?: string;
} {
  const named = tlsCipherSuites.flatMap((name) => suites.get(name) ?? []);
  return {
    minVersion: tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
    ...(tlsCipherSuites.length > 0 ? { ciphers: [...modernSuites, ...named].join(':') } : {}),
    ...(tlsCurvePreferences.length > 0
      ? { ecdhCurve: tlsCurvePreferences.map((id) => curves.get(id)).join(':') }
      : {}),
  };
}
