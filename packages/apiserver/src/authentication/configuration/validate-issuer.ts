/** What issuers have to be (upstream: apiserver pkg/apis/apiserver/validation). */
import { X509Certificate } from 'node:crypto';
import { at, child, duplicate, type FieldError, invalidValue, required } from '@wherry/kubeapi';
import { pemCertificates } from '../../dialing/pem-certificates.ts';
import type { JwtIssuer } from './authentication-configuration.ts';

/** Violations of one; `disallowed` are those who sign the tokens of service accounts. */
export function issuerErrors(path: string, issuer: JwtIssuer, disallowed: readonly string[]): FieldError[] {
  const { url, discoveryUrl, certificateAuthority, egressSelectorType } = issuer;
  const urlPath = child(path, 'url');
  return [
    ...(url === '' ? [required(urlPath)] : urlErrors(urlPath, url, disallowed)),
    ...discoveryErrors(child(path, 'discoveryURL'), url, discoveryUrl),
    ...audienceErrors(path, issuer),
    ...authorityErrors(child(path, 'certificateAuthority'), certificateAuthority),
    ...egressErrors(child(path, 'egressSelectorType'), egressSelectorType),
  ];
}

const withoutSlashes = (text: string) => text.replace(/\/+$/, '');

function discoveryErrors(path: string, url: string, discoveryUrl: string): FieldError[] {
  if (discoveryUrl === '') return [];
  const isSame = url !== '' && withoutSlashes(url) === withoutSlashes(discoveryUrl);
  return [
    ...(isSame ? [invalidValue(path, discoveryUrl, 'discoveryURL must be different from URL')] : []),
    ...urlErrors(path, discoveryUrl, []),
  ];
}

function urlErrors(path: string, text: string, disallowed: readonly string[]): FieldError[] {
  const refuse = (why: string) => invalidValue(path, text, why);
  const errors: FieldError[] = [];
  if (disallowed.includes(text)) {
    const names = [...disallowed].sort().join(' ');
    errors.push(refuse(`URL must not overlap with disallowed issuers: [${names}]`));
  }
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') {
    const isOther = url !== null || !/^[a-z][a-z0-9+.-]*:/i.test(text);
    return [...errors, refuse(isOther ? 'URL scheme must be https' : 'must be a URL')];
  }
  if (/^[^/?#]*:\/\/[^/?#]*@/.test(text)) errors.push(refuse('URL must not contain a username or password'));
  if (url.search !== '') errors.push(refuse('URL must not contain a query'));
  if (url.hash !== '') errors.push(refuse('URL must not contain a fragment'));
  return errors;
}

function audienceErrors(
  issuerPath: string,
  { audiences, audienceMatchPolicy: policy }: JwtIssuer,
): FieldError[] {
  const path = child(issuerPath, 'audiences');
  if (audiences.length === 0) return [required(path, `at least one ${path} is required`)];
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [required(at(path, index))] : []),
    ...(audiences.indexOf(audience) < index ? [duplicate(at(path, index), audience)] : []),
  ]);
  if (policy === 'MatchAny' || (policy === '' && audiences.length === 1)) return errors;
  const why =
    audiences.length > 1
      ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
      : 'audienceMatchPolicy must be empty or MatchAny for single audience';
  return [...errors, invalidValue(child(issuerPath, 'audienceMatchPolicy'), policy, why)];
}

function authorityErrors(path: string, pem: string): FieldError[] {
  if (pem === '') return [];
  const found = pemCertificates(pem);
  if (found.length > 0 && found.every(isCertificate)) return [];
  const why = 'data does not contain any valid RSA or ECDSA certificates';
  return [invalidValue(path, '<omitted>', why)];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function egressErrors(path: string, type: string): FieldError[] {
  if (['', 'controlplane', 'cluster'].includes(type)) return [];
  return [invalidValue(path, type, 'egress selector must be either controlplane or cluster')];
}
