import type { ServiceName } from './cri-schema.ts';
import { messages, services } from './generated/schema.ts';

/** One field of a message. */
export interface MessageField {
  name: string;
  /** The message that it holds, one or a list of them; undefined for scalars and maps. */
  message: string | undefined;
}

/** The fields of a message by its name in CRI; undefined when there is none of that name. */
export function messageFields(messageName: string): MessageField[] | undefined {
  if (!Object.hasOwn(messages, messageName)) return undefined;
  return messages[messageName]?.map(([, name, type, shape]) => {
    const isMessage = Object.hasOwn(messages, type) && !shape.startsWith('map:');
    return { name, message: isMessage ? type : undefined };
  });
}

/** The request messages of a service's methods, by method (`runPodSandbox`). */
export const requestsOf = (service: ServiceName): ReadonlyMap<string, string> =>
  new Map(Object.entries(services[service] ?? {}).map(([method, [, request]]) => [method, request]));
