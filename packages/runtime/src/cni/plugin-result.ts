import { isIP, isIPv4 } from 'node:net';
import { shownJson } from '@wherry/bytes';
import { boundedWords, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { isRecord, isWithinDepth, type JsonObject, textOf } from '../state/json.ts';
import { type CniVersion, isAtLeast, isCniVersion } from './versions.ts';

const wrong = (why: string) => new RuntimeError('UNKNOWN', `invalid result: ${why}`);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What an ADD gave: the plug-in's own JSON, with a version that this runtime speaks. */
export type PluginResult = JsonObject & { cniVersion: CniVersion };

/** Reads what a plug-in printed for ADD; one that names no version means that of its configuration. Throws `RuntimeError`. */
export function resultFrom(value: unknown, version: CniVersion): PluginResult {
  if (!isRecord(value)) throw wrong('it is no JSON object');
  if (!isWithinDepth(value, limits.cniDepthMax))
    throw wrong(`it has more than ${limits.cniDepthMax} levels of JSON`);
  const said = value['cniVersion'] ?? version;
  if (!isCniVersion(said))
    throw wrong(`cniVersion ${boundedWords(JSON.stringify(said))} is not one that was asked for`);
  return asVersion({ ...value, cniVersion: said }, version);
}

/** The result as another version of the specification has it. */
export function asVersion(result: PluginResult, version: CniVersion): PluginResult {
  const ips = listOf(result['ips']).filter(isRecord);
  const interfaces = listOf(result['interfaces']).filter(isRecord);
  return {
    ...result,
    cniVersion: version,
    ...(interfaces.length > 0 && { interfaces: interfaces.map((each) => interfaceAs(each, version)) }),
    ...(ips.length > 0 && { ips: ips.map((ip) => addressAs(ip, version)) }),
  };
}

/** Before 1.0 an address says its family. */
function addressAs(ip: JsonObject, version: CniVersion): JsonObject {
  const { version: _family, ...rest } = ip;
  return isAtLeast(version, '1.0.0') ? rest : { version: isIPv4(addressOf(ip)) ? '4' : '6', ...rest };
}

/** Before 1.1 an interface has no more than these. */
function interfaceAs(each: JsonObject, version: CniVersion): JsonObject {
  if (isAtLeast(version, '1.1.0')) return each;
  const known = ['name', 'mac', 'sandbox'];
  return Object.fromEntries(Object.entries(each).filter(([name]) => known.includes(name)));
}

/** An address with the length of its network, and no zone, as Go's `ParseCIDR` takes it. */
function isPrefixed(text: unknown): boolean {
  const [, address = '', length] = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(textOf(text)) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(length) <= (family === 4 ? 32 : 128);
}

const addressOf = (ip: JsonObject): string => textOf(ip['address']).replace(/\/.*$/, '');

/**
 * The addresses of one interface of the pod, the first IPv4 one in front as containerd puts it. What names no interface
 * is that one's. Throws `RuntimeError` for what is no address or points nowhere.
 */
export function addressesOf(result: PluginResult, interfaceName: string): string[] {
  const interfaces = listOf(result['interfaces']);
  const own = listOf(result['ips']).filter((ip): ip is JsonObject => {
    if (!isRecord(ip)) throw wrong('an address is no JSON object');
    const { interface: index } = ip;
    if (index === undefined) return true;
    const target = typeof index === 'number' ? interfaces[index] : undefined;
    if (!isRecord(target))
      throw wrong(`an address is of interface ${boundedWords(shownJson(index))}, which is not there`);
    return target['name'] === interfaceName;
  });
  if (own.length > limits.cniAddressesMax)
    throw wrong(`${own.length} addresses of ${interfaceName}; want at most ${limits.cniAddressesMax}`);
  for (const { address } of own)
    if (!isPrefixed(address)) throw wrong(`${JSON.stringify(boundedWords(textOf(address)))} is no address`);
  const addresses = own.map(addressOf);
  const first = addresses.findIndex((address) => isIPv4(address));
  return first > 0 ? [addresses[first]!, ...addresses.toSpliced(first, 1)] : addresses;
}
