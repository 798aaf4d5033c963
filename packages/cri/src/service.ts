import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { decodeMessage, encodeMessage } from './codec.ts';
import { services } from './generated/schema.ts';

/** The two services of CRI. */
export type ServiceName = 'RuntimeService' | 'ImageService';

/** A method of a service, ready for a gRPC client or server. */
export interface Method {
  name: string;
  definition: MethodDefinition<object, object>;
}

/** All methods of a service by camelCase name, with their codecs. */
export function methodsOf(service: ServiceName): Method[] {
  return Object.entries(services[service] ?? {}).map(([name, [wireName, request, response, stream]]) => ({
    name,
    definition: {
      path: `/runtime.v1.${service}/${wireName}`,
      requestStream: false,
      responseStream: stream,
      requestSerialize: (message: object) => encodeMessage(request, message),
      requestDeserialize: (bytes: Buffer) => decodeMessage(request, bytes),
      responseSerialize: (message: object) => encodeMessage(response, message),
      responseDeserialize: (bytes: Buffer) => decodeMessage(response, bytes),
    },
  }));
}

/** The gRPC definition of a service. */
export function definitionOf(service: ServiceName): ServiceDefinition {
  return Object.fromEntries(methodsOf(service).map((method) => [method.name, method.definition]));
}
