/** Formats of names, labels, keys and ports, with upstream's sentences (apimachinery pkg/util/validation). */
import { familyOf, isMapped, withoutZeros } from '../values/ip-address.ts';

/** Complaints about a text; empty when it is fine. */
export type FormatCheck = (text: string) => string[];

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const keyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${keyName})?`;
const configKey = '[-._a-zA-Z0-9]+';
const percent = '[0-9]+%';
const headerName = '[-A-Za-z0-9]+';

const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);
const dns1035Pattern = new RegExp(`^${dns1035}$`);
const keyNamePattern = new RegExp(`^${keyName}$`);
const labelValuePattern = new RegExp(`^${labelValue}$`);
const configKeyPattern = new RegExp(`^${configKey}$`);
const percentPattern = new RegExp(`^${percent}$`);
const headerNamePattern = new RegExp(`^${headerName}$`);

/** `must be between LOW and HIGH, inclusive`. */
export const inclusiveRange = (low: number, high: number): string =>
  `must be between ${low} and ${high}, inclusive`;

/** Length counts in bytes; upstream's newer checks say so, the older ones say characters. */
function tooLong(text: string, length: number, unit: 'bytes' | 'characters'): string[] {
  return Buffer.byteLength(text) > length ? [`must be no more than ${length} ${unit}`] : [];
}

function explain(sentence: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  const given = examples.length === 0 ? ' (' : ` (e.g. ${shown}`;
  return `${sentence}${given}regex used for validation is '${pattern}')`;
}

/** RFC 1123 label: 63 characters. */
export const dnsLabel: FormatCheck = (text) => {
  const complaints = tooLong(text, 63, 'characters');
  if (labelPattern.test(text)) return complaints;
  if (subdomainPattern.test(text)) return [...complaints, 'must not contain dots'];
  const sentence =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...complaints, explain(sentence, label, 'my-name', '123-abc')];
};

/** RFC 1123 subdomain: 253 characters. */
export const dnsSubdomain: FormatCheck = (text) => checkSubdomain(text, 'characters');

function checkSubdomain(text: string, unit: 'bytes' | 'characters'): string[] {
  const complaints = tooLong(text, 253, unit);
  if (text.length <= 1024 && subdomainPattern.test(text)) return complaints;
  const sentence =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...complaints, explain(sentence, subdomain, 'example.com')];
}

/** RFC 1035 label: begins with a letter. */
export const dns1035Label: FormatCheck = (text) => {
  const complaints = tooLong(text, 63, 'characters');
  if (dns1035Pattern.test(text)) return complaints;
  const sentence =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...complaints, explain(sentence, dns1035, 'my-name', 'abc-123')];
};

/** `[PREFIX/]NAME`: keys of labels and annotations, finalizers, resource names. */
export const qualifiedName: FormatCheck = (text) => {
  const parts = text.split('/');
  const sentence =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const pattern = keyName;
  if (parts.length > 2) {
    const whole = `a valid label key ${sentence}`;
    return [
      explain(whole, pattern, 'MyName', 'my.name', '123-abc') +
        " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  }
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, parts[0]];
  const complaints: string[] = [];
  if (prefix === '') complaints.push('prefix part must be non-empty');
  else if (prefix !== undefined)
    complaints.push(...checkSubdomain(prefix, 'bytes').map((text) => `prefix part ${text}`));
  if (name === '') complaints.push('name part must be non-empty');
  else complaints.push(...tooLong(name, 63, 'bytes').map((complaint) => `name part ${complaint}`));
  if (!keyNamePattern.test(name)) {
    complaints.push(`name part ${explain(sentence, pattern, 'MyName', 'my.name', '123-abc')}`);
  }
  return complaints;
};

/** Values of labels: empty, or 63 characters. */
export const labelValueFormat: FormatCheck = (text) => {
  const complaints = tooLong(text, 63, 'bytes');
  if (labelValuePattern.test(text)) return complaints;
  const sentence =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...complaints, explain(sentence, labelValue, 'MyValue', 'my_value', '12345')];
};

/** Keys of config maps and secrets. */
export const configMapKey: FormatCheck = (text) => {
  const complaints = tooLong(text, 253, 'characters');
  if (!configKeyPattern.test(text)) {
    const sentence = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    complaints.push(explain(sentence, configKey, 'key.name', 'KEY_NAME', 'key-name'));
  }
  return [...complaints, ...parentFolderComplaints(text)];
};

function parentFolderComplaints(text: string): string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Names of environment variables: printable ASCII without `=`. */
export const environmentName: FormatCheck = (text) => {
  if (text === '') return ['environment variable name must be non-empty'];
  if (/^[\x20-\x3c\x3e-\x7e]+$/.test(text)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/** Names of environment variables that any program takes: clients ask for no other ones. */
export const plainEnvironmentName: FormatCheck = (text) => {
  const complaint =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
  return [...(/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(text) ? [] : [complaint]), ...parentFolderComplaints(text)];
};

/** Names of container ports. */
export const portName: FormatCheck = (text) => {
  const complaints = tooLong(text, 15, 'characters');
  if (!/^[-a-z0-9]+$/.test(text)) {
    complaints.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(text)) complaints.push('must contain at least one letter (a-z)');
  if (text.includes('--')) complaints.push('must not contain consecutive hyphens');
  if (/^-|-$/.test(text)) complaints.push('must not begin or end with a hyphen');
  return complaints;
};

/** Port numbers. */
export function portNumber(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : [inclusiveRange(1, 65535)];
}

/** `25%`. */
export const percentage: FormatCheck = (text) => {
  if (percentPattern.test(text)) return [];
  const sentence = "a valid percent string must be a numeric string followed by an ending '%'";
  return [explain(sentence, percent, '1%', '93%')];
};

/** Names of HTTP headers. */
export const httpHeaderName: FormatCheck = (text) => {
  if (headerNamePattern.test(text)) return [];
  const sentence = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [explain(sentence, headerName, 'X-Header-Name')];
};

/** Names that stand in a path (RBAC objects): no slash, no percent sign, not `.` or `..`. */
export const pathSegment: FormatCheck = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%']
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
};

/** A generateName's trailing dash is fine, as characters follow: it is masked before the check. */
export function asPrefix(check: FormatCheck): FormatCheck {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

/** Addresses of IPv4 and IPv6, in a form in which all programs read them alike. */
export const ipAddress: FormatCheck = (text) => {
  if (withoutZeros(text) === undefined)
    return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (familyOf(text) === 0) return ['must not have leading 0s'];
  return isMapped(text) ? ['must not be an IPv4-mapped IPv6 address'] : [];
};
