import { isIPv6 } from 'node:net';
import { closeDescriptor, encodeAddress, RouteNetlink, withNetworkNamespace } from '@wherry/linux';
import { check, declare } from '../../linux/src/native.ts';

/** What a container with CAP_NET_RAW can do on its pod's interface: frames of any content. */
const openSocket = declare('int socket(int family, int type, int protocol)');
const sendTo = declare(
  'long sendto(int socket, const void *data, ulong bytes, int flags, const void *address, uint length)',
);
const packetFamily = 17;
const raw = 3;
const etherType = { ipv4: 0x0800, arp: 0x0806, ipv6: 0x86dd } as const;
const udp = 17;
const icmp6 = 58;

/** One end of a conversation. */
export interface Station {
  ip: string;
  hardwareAddress: string;
}

const macBytes = (text: string) => Buffer.from(text.replaceAll(':', ''), 'hex');
const short = (value: number) => Buffer.from([value >> 8, value & 0xff]);

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

const ethernet = (from: string, to: string, type: number, payload: Buffer) =>
  Buffer.concat([macBytes(to), macBytes(from), short(type), payload]);

/** A UDP datagram of the family of its sender, who may be whoever. */
export function datagram(from: Station, to: Station, port: number, text: string): Buffer {
  if (isIPv6(from.ip)) return datagram6(from, to, port, text);
  const data = Buffer.from(text);
  const payload = Buffer.concat([short(1234), short(port), short(8 + data.length), short(0), data]);
  const header = Buffer.concat([
    Buffer.from([0x45, 0]),
    short(20 + payload.length),
    Buffer.from([0, 0, 0, 0, 64, udp, 0, 0]),
    encodeAddress(from.ip),
    encodeAddress(to.ip),
  ]);
  header.writeUInt16BE(checksum(header), 10);
  return ethernet(from.hardwareAddress, to.hardwareAddress, etherType.ipv4, Buffer.concat([header, payload]));
}

/** An ARP answer to `to`: "`says.ip` is at `says.hardwareAddress`", in a frame from `source`. */
export function arpAnswer(source: string, says: Station, to: Station): Buffer {
  const payload = Buffer.concat([
    Buffer.from([0, 1, 8, 0, 6, 4, 0, 2]),
    macBytes(says.hardwareAddress),
    encodeAddress(says.ip),
    macBytes(to.hardwareAddress),
    encodeAddress(to.ip),
  ]);
  return ethernet(source, to.hardwareAddress, etherType.arp, payload);
}

/** A packet of IPv6 whose payload has its checksum at `checksumAt`. */
function packet6(from: string, to: string, next: number, payload: Buffer, checksumAt: number): Buffer {
  const addresses = Buffer.concat([encodeAddress(from), encodeAddress(to)]);
  const padding = Buffer.alloc(payload.length % 2);
  const pseudo = [addresses, Buffer.from([0, 0, ...short(payload.length), 0, 0, 0, next]), payload, padding];
  payload.writeUInt16BE(checksum(Buffer.concat(pseudo)), checksumAt);
  const header = [Buffer.from([0x60, 0, 0, 0]), short(payload.length), Buffer.from([next, 255]), addresses];
  return Buffer.concat([...header, payload]);
}

function datagram6(from: Station, to: Station, port: number, text: string): Buffer {
  const data = Buffer.from(text);
  const payload = Buffer.concat([short(1234), short(port), short(8 + data.length), short(0), data]);
  const packet = packet6(from.ip, to.ip, udp, payload, 6);
  return ethernet(from.hardwareAddress, to.hardwareAddress, etherType.ipv6, packet);
}

/** A neighbour's answer to `to` by IPv6: "`says.ip` is at `says.hardwareAddress`, forget what you knew" (RFC 4861, 4.4). */
export function neighbourAnswer(source: string, says: Station, to: Station, from = says.ip): Buffer {
  const body = Buffer.concat([
    Buffer.from('8800000060000000', 'hex'),
    encodeAddress(says.ip),
    Buffer.from([2, 1]),
    macBytes(says.hardwareAddress),
  ]);
  return ethernet(source, to.hardwareAddress, etherType.ipv6, packet6(from, to.ip, icmp6, body, 2));
}

/** A router's advertisement to everyone: "I route; call yourselves 2001:db8:bad::/64" (RFC 4861, 4.2). */
export function routerAdvertisement(source: string, from = 'fe80::bad'): Buffer {
  const prefix = Buffer.from('030440c0000151800000384000000000' + '20010db80bad00000000000000000000', 'hex');
  const body = Buffer.concat([Buffer.from('86000000400007080000000000000000', 'hex'), prefix]);
  return ethernet(source, '33:33:00:00:00:01', etherType.ipv6, packet6(from, 'ff02::1', icmp6, body, 2));
}

/** Sends frames out of a pod's eth0. */
export function sendFrames(networkNamespace: string, frames: readonly Buffer[]): void {
  withNetworkNamespace(networkNamespace, () => {
    using routes = new RouteNetlink();
    const { index } = routes.link('eth0');
    const socket = check('socket', openSocket(packetFamily, raw, 0));
    try {
      const address = Buffer.alloc(20);
      address.writeUInt16LE(packetFamily, 0);
      address.writeInt32LE(index, 4);
      for (const frame of frames)
        check('sendto', sendTo(socket, frame, frame.length, 0, address, address.length));
    } finally {
      closeDescriptor(socket);
    }
  });
}

/** The station that an interface of a pod is. */
export function hardwareAddressIn(networkNamespace: string): string {
  return withNetworkNamespace(networkNamespace, () => {
    using routes = new RouteNetlink();
    return routes.link('eth0').hardwareAddress;
  });
}
