/** Rules of where a webhook listens (upstream: apiserver pkg/util/webhook). */
import type { ServiceReference, WebhookClientConfig } from '../generated/types.ts';
import { child, type FieldError, type FieldPath, invalidValue, required } from '../status/field-error.ts';
import { dnsSubdomain } from './formats.ts';
import { checkPort } from './values.ts';

const form = '; desired format: https://host[/path]';
/** Scheme, authority, path, query and fragment (RFC 3986, appendix B). */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** Violations in where a webhook is: a URL or a service. */
export function clientConfigErrors(config: WebhookClientConfig | undefined, place: FieldPath): FieldError[] {
  const { url, service } = config ?? {};
  if ((url === undefined) === (service === undefined))
    return [required(place, 'exactly one of url or service is required')];
  return service ? serviceErrors(service, child(place, 'service')) : urlErrors(url!, child(place, 'url'));
}

function urlErrors(url: string, place: FieldPath): FieldError[] {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts.exec(url) ?? [];
  const isTyped = scheme === '' ? !/^[^/]*:/.test(path) : /^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(scheme);
  const isEscaped = !/%(?![0-9a-fA-F]{2})/.test(path);
  if (!isTyped || !isEscaped || (authority !== '' && !URL.canParse(url)))
    return [required(place, `url must be a valid URL: ${JSON.stringify(url)}${form}`)];
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : undefined;
  const host = user === undefined ? authority : authority.slice(user.length + 1);
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalidValue(place, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalidValue(place, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalidValue(place, '', 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalidValue(place, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalidValue(place, query, 'query parameters are not permitted in the URL')]),
  ];
}

function serviceErrors({ namespace, name, path, port }: ServiceReference, place: FieldPath): FieldError[] {
  return [
    ...(name ? [] : [required(child(place, 'name'))]),
    ...(namespace ? [] : [required(child(place, 'namespace'))]),
    ...(port === undefined ? [] : checkPort(child(place, 'port'), port)),
    ...(path ? pathErrors(path, child(place, 'path')) : []),
  ];
}

const pathErrorsMax = 16;

function pathErrors(path: string, place: FieldPath): FieldError[] {
  if (path === '/') return [];
  if (path === '//') return [invalidValue(place, path, 'segment[0] may not be empty')];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  const errors = path.startsWith('/') ? [] : [invalidValue(place, path, "must start with a '/'")];
  for (const [index, step] of steps.entries()) {
    // Each has the whole path in it.
    if (errors.length >= pathErrorsMax) break;
    const complaints =
      step === '' ? [' may not be empty'] : dnsSubdomain(step).map((complaint) => `: ${complaint}`);
    errors.push(...complaints.map((complaint) => invalidValue(place, path, `segment[${index}]${complaint}`)));
  }
  return errors;
}
