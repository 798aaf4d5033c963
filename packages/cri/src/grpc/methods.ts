import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { messageCodec } from './codec.ts';
import { ownValue } from './own-keys.ts';
import type { GrpcSchema, MethodSchema } from './schema.ts';

/** A method of a service, ready for a gRPC client or server. */
export interface Method {
  name: string;
  definition: MethodDefinition<object, object>;
}

/** All methods of a service by camelCase name, with their codecs. */
export function methodsOf(schema: GrpcSchema, service: string): Method[] {
  const { encode, decode } = messageCodec(schema.messages);
  const prefix = schema.package === '' ? '' : `${schema.package}.`;
  const methods = ownValue({ ...schema.services }, service) as Record<string, MethodSchema> | undefined;
  return Object.entries(methods ?? {}).map(([name, [wireName, request, response, stream]]) => ({
    name,
    definition: {
      path: `/${prefix}${service}/${wireName}`,
      requestStream: false,
      responseStream: stream,
      requestSerialize: (message: object) => encode(request, message),
      requestDeserialize: (bytes: Buffer) => decode(request, bytes),
      responseSerialize: (message: object) => encode(response, message),
      responseDeserialize: (bytes: Buffer) => decode(response, bytes),
    },
  }));
}

/** The gRPC definition of a service. */
export function definitionOf(methods: readonly Method[]): ServiceDefinition {
  return Object.fromEntries(methods.map((method) => [method.name, method.definition]));
}
